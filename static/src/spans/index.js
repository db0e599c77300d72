// Entry of the marking screen where marks alone are asked for.
import { startMarking } from "./marking.js";

startMarking();
