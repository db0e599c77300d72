// Two versions of one draft: both shown, one chosen or both combined; neither is lost.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";

/**
 * @param {(title: string, draft: object, other: object) => HTMLElement} version shows one of them
 * @returns {Promise<"mine"|"theirs"|"both">}
 */
export async function chooseVersion(mine, theirs, version, title = gettext("This item was also changed elsewhere")) {
  const versions = [version(gettext("On this page"), mine, theirs), version(gettext("Saved elsewhere"), theirs, mine)];
  const isList = versions.every(({ tagName }) => tagName === "LI");
  const choice = await ask({
    title,
    wide: !isList,
    closable: false,
    // Whoever was typing when it opened presses Enter: what stands on the page stays.
    first: "mine",
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      isList ? element("ul", {}, ...versions) : element("div", { class: "columns conflict" }, ...versions),
    ],
    buttons: [
      { value: "theirs", label: gettext("Use the one saved elsewhere") },
      { value: "both", label: gettext("Combine both") },
      { value: "mine", label: gettext("Keep the one on this page"), kind: "btn-primary" },
    ],
  });
  return choice || "mine";
}
