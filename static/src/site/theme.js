// Loaded early and blocking, so that a page is never painted in the wrong theme first.
const KEY = "mizan-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  try {
    return localStorage.getItem(KEY) ?? "auto";
  } catch {
    return "auto"; // storage may be forbidden; the theme then follows the device
  }
}

function apply() {
  const choice = chosen();
  const theme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
  document.documentElement.dataset.bsTheme = theme;
}

window.mizanTheme = {
  get: chosen,
  set(choice) {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // not remembered, still applied below through the attribute
    }
    apply();
    if (chosen() !== choice && choice !== "auto") document.documentElement.dataset.bsTheme = choice;
  },
};
dark.addEventListener("change", apply);
apply();

// Nor with what stands beside a text, where the person has put it away on this device (task_kit/drawer.js).
const drawer = `mizan-drawer-${document.querySelector("meta[name=person]")?.content ?? ""}`;
window.mizanTheme.keepDrawer = (isOpen) => {
  try {
    localStorage.setItem(drawer, isOpen ? "open" : "closed");
  } catch {
    // It holds until the page is left.
  }
};
try {
  if (localStorage.getItem(drawer) === "closed") document.documentElement.dataset.drawer = "closed";
} catch {
  // It stands open.
}

// Nor with texts in another size than the person reads them in: shares of the usual size, line height and line width, in percent.
const reading = `mizan-reading-${document.querySelector("meta[name=person]")?.content ?? ""}`;
const own = {};
function read(part, percent) {
  if (percent >= 50 && percent <= 200) own[part] = Number(percent);
  document.documentElement.style.setProperty(`--own-${part}`, (own[part] ?? 100) / 100);
}
window.mizanTheme.reading = {
  get: (part) => own[part] ?? 100,
  set(part, percent) {
    read(part, percent);
    try {
      localStorage.setItem(reading, JSON.stringify(own));
    } catch {
      // It holds until the page is left.
    }
  },
};
try {
  const kept = JSON.parse(localStorage.getItem(reading));
  for (const part of ["size", "leading", "width"]) if (kept?.[part]) read(part, kept[part]);
} catch {
  // Texts have their usual size.
}

// Inside the frame in which one signs in again, the bar of the page around it is enough.
if (window.parent !== window) document.documentElement.classList.add("is-framed");
