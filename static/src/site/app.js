// What every page needs: Bootstrap's menus (dialogs are native), theme switch, relative times, confirmations, CSRF for htmx.
import "bootstrap/js/src/dropdown.js";
import { startConfirmations } from "./confirm.js";
import { startCopying } from "./copy.js";
import { csrfToken } from "./csrf.js";
import { startFailures } from "./failures.js";
import { showWhereOneIs } from "./menu.js";
import { startRelativeTimes } from "./relative-time.js";
import { startRemembered, startRememberedChoices } from "./remembered.js";
import { startShownFor } from "./shown-for.js";
import { startSideways } from "./sideways.js";
import { startTextFonts } from "./text-fonts.js";
import { startThemeSwitch, tellReading } from "./theme-switch.js";
import { tellUntold } from "./untold-time.js";

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});

startFailures(document);
startThemeSwitch(document);
startConfirmations(document);
startCopying(document);
startRelativeTimes(document);
startRemembered(document);
startRememberedChoices(document);
startSideways(document);
startShownFor(document);
startTextFonts(document);
showWhereOneIs(document);
tellUntold();
tellReading();
document.addEventListener("htmx:load", (event) => {
  startRelativeTimes(event.target);
  startRemembered(event.target);
  startTextFonts(event.target);
});
