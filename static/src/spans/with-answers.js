// Entry of the marking screen where the whole is scored, or other parts are asked, beside the marks.
import { AskedSheet } from "./asked-sheet.js";
import { startMarking } from "./marking.js";
import { Questions } from "./questions.js";
import { Score } from "./score.js";

startMarking({ Score, Questions, AskedSheet });
