// Entry of pages on which texts are read and nothing is asked: the switch between formatted and plain.
import { listen } from "../task_kit/keys.js";
import { plainSwitch } from "../task_kit/plain-switch.js";

listen(plainSwitch());
document.documentElement.dataset.readingPage = "ready";
