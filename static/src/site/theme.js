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
// the parts that the account does not know yet (`untold`) count before what it knew. Other tabs write there too.
const reading = `mizan-reading-${document.querySelector("meta[name=person]")?.content ?? ""}`;
const own = {};
const PARTS = ["size", "leading", "width"];
const isReadable = (percent) => percent >= 50 && percent <= 200;
let unstored = null; // holds until the page is left, where storage may be forbidden
function kept() {
  let state = unstored;
  try {
    state ??= JSON.parse(localStorage.getItem(reading));
  } catch {
    // Texts have their usual size.
  }
  // "true" was all parts, before each was told by itself.
  const untold = PARTS.filter((part) => isReadable(state?.[part]) && (state.untold === true || state.untold?.includes?.(part)));
  return { ...state, untold };
}
function keepReading(state) {
  try {
    localStorage.setItem(reading, JSON.stringify(state));
  } catch {
    unstored = state;
  }
}
function read(part, percent) {
  if (isReadable(percent)) own[part] = Number(percent);
  document.documentElement.style.setProperty(`--own-${part}`, (own[part] ?? 100) / 100);
}
window.mizanTheme.reading = {
  get: (part) => own[part] ?? 100,
  /** Percent by part, of those that the account is still to be told, by whichever tab they were set. */
  untold() {
    const state = kept();
    return Object.fromEntries(state.untold.map((part) => [part, state[part]]));
  },
  set(part, percent) {
    read(part, percent);
    const state = kept();
    keepReading({ ...state, [part]: own[part], untold: [...new Set([...state.untold, part])] });
  },
  /** The account knows these now; one that was set anew meanwhile is still to be told. */
  told(parts) {
    const state = kept();
    keepReading({ ...state, untold: state.untold.filter((part) => state[part] !== parts[part]) });
  },
};
const ofAccount = document.querySelector("meta[name=reading]")?.content.split(" ");
const before = kept();
for (const [number, part] of PARTS.entries()) {
  const percent = ofAccount && !before.untold.includes(part) ? ofAccount[number] : before[part];
  if (percent) read(part, percent);
}
if (ofAccount) keepReading({ ...before, ...own });

// Inside the frame in which one signs in again, the bar of the page around it is enough.
if (window.parent !== window) document.documentElement.classList.add("is-framed");
