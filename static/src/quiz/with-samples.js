import { startQuiz } from "./quiz.js";
import { startSamples } from "./samples.js";

startQuiz(startSamples);
