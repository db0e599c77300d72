// The quiz. Samples to mark come with an entry of their own (with-samples.js): few quizzes have any.
import { startQuiz } from "./quiz.js";

startQuiz();
