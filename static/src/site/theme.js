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

// Nor with texts in another size than the person reads them in: shares of the usual size, line height and line width, in
// percent. Pages with texts that are judged say what is kept with the account; this device keeps it for all others, and
// what the account does not know yet counts before what it knew.
const reading = `mizan-reading-${document.querySelector("meta[name=person]")?.content ?? ""}`;
const own = {};
const PARTS = ["size", "leading", "width"];
function read(part, percent) {
  if (percent >= 50 && percent <= 200) own[part] = Number(percent);
  document.documentElement.style.setProperty(`--own-${part}`, (own[part] ?? 100) / 100);
}
function keepReading(isTold) {
  try {
    localStorage.setItem(reading, JSON.stringify(isTold ? own : { ...own, untold: true }));
  } catch {
    // It holds until the page is left.
  }
}
window.mizanTheme.reading = {
  get: (part) => own[part] ?? 100,
  all: () => Object.fromEntries(PARTS.map((part) => [part, own[part] ?? 100])),
  isTold: true,
  set(part, percent) {
    this.isTold = false;
    read(part, percent);
    keepReading(false);
  },
  told() {
    this.isTold = true;
    keepReading(true);
  },
};
let kept = null;
try {
  kept = JSON.parse(localStorage.getItem(reading));
} catch {
  // Texts have their usual size.
}
const ofAccount = document.querySelector("meta[name=reading]")?.content.split(" ");
if (kept?.untold) window.mizanTheme.reading.isTold = false;
for (const [number, part] of PARTS.entries()) {
  const percent = ofAccount && !kept?.untold ? ofAccount[number] : kept?.[part];
  if (percent) read(part, percent);
}
if (ofAccount && !kept?.untold) keepReading(true);

// Inside the frame in which one signs in again, the bar of the page around it is enough.
if (window.parent !== window) document.documentElement.classList.add("is-framed");
