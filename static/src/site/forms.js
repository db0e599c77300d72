// What forms need, on all pages but task screens: long lists of choices, files on their way.
import { startSearchChoices } from "./search-choices.js";
import { startUploadProgress } from "./upload-progress.js";

startSearchChoices(document);
startUploadProgress(document);
