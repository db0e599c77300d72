function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by the next turn of the event loop; until then the address must hold.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function saveSvg(chart, name) {
  save(new Blob([chart.svg().text], { type: "image/svg+xml" }), `${name}.svg`);
}

/** At twice the size, which prints well. */
export function savePng(chart, name) {
  const { text, width, height } = chart.svg();
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * 2, height * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
