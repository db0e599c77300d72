// Which key an event is: by character on a Latin keyboard, by place on Arabic, Bengali and Korean ones. The events are
// what Chromium reports for these layouts.
import assert from "node:assert/strict";
import test from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { platform: "Linux x86_64" }, configurable: true });
globalThis.gettext ??= (text) => text;
const { digitOf, isComposing, isDigit, isPlace, isZero, letter, plain, withControl } = await import("../../static/src/task_kit/keys.js");

const key = (name, code, more = {}) => ({
  key: name, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, keyCode: 0, repeat: false, ...more,
});

test("digits are digits on every keyboard", () => {
  const one = [key("1", "Digit1"), key("1", "Numpad1"), key("١", "Digit1"), key("۱", "Digit1"), key("১", "Digit1"), key("1", "Digit1", { shiftKey: true })];
  for (const event of one) assert.deepEqual([isDigit(event), isPlace(event), digitOf(event)], [true, true, "1"], event.key);
  for (const event of [key("0", "Digit0"), key("٠", "Digit0"), key("০", "Digit0")]) {
    assert.deepEqual([isZero(event), isPlace(event)], [true, false], event.key);
  }
  assert.equal(isDigit(key("!", "Digit1", { shiftKey: true })), false);
  assert.equal(isDigit(key("1", "Digit1", { ctrlKey: true })), false, "the browser's own");
});

test("a letter is its key where the keyboard writes another script, its character where it writes Latin", () => {
  const written = { Arabic: "ح", Bengali: "প", Korean: "ㅔ", Greek: "π" };
  for (const [layout, character] of Object.entries(written)) assert.equal(letter("P")(key(character, "KeyP")), true, layout);
  assert.equal(letter("P")(key("p", "KeyP")), true);
  assert.equal(letter("P")(key("P", "KeyP", { shiftKey: true })), true, "Caps Lock");
  assert.equal(letter("P")(key("p", "KeyR")), true, "Dvorak and Colemak put P elsewhere");
  assert.equal(letter("P")(key("l", "KeyP")), false);
  assert.equal(letter("P")(key("p", "KeyP", { ctrlKey: true })), false, "printing");
});

test("undo and redo are the key of Z: Ctrl+ئ on an Arabic keyboard", () => {
  const undo = withControl("z");
  const redo = withControl("z", { shift: true });
  for (const character of ["z", "ئ", "য", "ㅋ"]) {
    const pressed = key(character, "KeyZ", { ctrlKey: true });
    assert.deepEqual([undo(pressed), redo(pressed)], [true, false], character);
    assert.deepEqual([undo({ ...pressed, shiftKey: true }), redo({ ...pressed, shiftKey: true })], [false, true], character);
  }
  assert.equal(undo(key("~", "KeyZ", { ctrlKey: true, shiftKey: true })), false);
  assert.equal(redo(key("~", "KeyZ", { ctrlKey: true, shiftKey: true })), true, "Shift on an Arabic keyboard writes ~ there");
  assert.equal(undo(key("y", "KeyZ", { ctrlKey: true })), false, "a German keyboard has Y there");
  assert.equal(undo(key("z", "KeyY", { metaKey: true })), true);
  assert.equal(undo(key("ئ", "KeyZ")), false);
  assert.equal(withControl("enter")(key("Enter", "NumpadEnter", { ctrlKey: true })), true);
});

test("the list of keys opens with the question mark of either script", () => {
  const help = plain("?", "؟");
  assert.deepEqual([help(key("?", "Slash", { shiftKey: true })), help(key("؟", "Slash", { shiftKey: true }))], [true, true]);
});

test("what an input method is at work on is no command", () => {
  const composing = [
    key("ㅔ", "KeyP", { isComposing: true }), key("Process", "KeyP", { keyCode: 229 }), key("ㅔ", "KeyP", { keyCode: 229 }), key("Process", "Digit1", { keyCode: 229 }),
  ];
  for (const event of composing) assert.equal(isComposing(event), true, `${event.key} ${event.keyCode}`);
  assert.equal(isComposing(key("ㅔ", "KeyP", { keyCode: 80 })), false, "outside a field a Korean keyboard writes its letter at once");
});

const { keyOf, pressOf, useOwnKeys } = await import("../../static/src/task_kit/keys.js");

test("an act is run by the person's own key, on every keyboard, and by its usual key no more", () => {
  useOwnKeys({ S: "D", M: "Shift+X" });
  const [skip, missing, other] = [letter("S"), letter("M"), letter("X")];
  assert.deepEqual([keyOf("S"), keyOf("M"), keyOf("N"), keyOf("1 – 6")], ["D", "Shift+X", "N", "1 – 6"]);
  assert.equal(skip(key("d", "KeyD")), true);
  assert.equal(skip(key("ي", "KeyD")), true, "Arabic");
  assert.equal(skip(key("ই", "KeyD")), true, "Bengali");
  assert.equal(skip(key("ㅇ", "KeyD")), true, "Korean");
  assert.equal(skip(key("s", "KeyS")), false);
  assert.equal(skip(key("d", "KeyD", { ctrlKey: true })), false);
  assert.deepEqual([missing(key("X", "KeyX", { shiftKey: true })), missing(key("x", "KeyX"))], [true, false]);
  assert.deepEqual([other(key("X", "KeyX", { shiftKey: true })), other(key("x", "KeyX"))], [false, true]);
  useOwnKeys();
  assert.equal(letter("X")(key("X", "KeyX", { shiftKey: true })), true, "Caps Lock, where Shift+X is no key");
  assert.equal(letter("S")(key("s", "KeyS")), true);
});

test("a press is written as the letter it is, with Shift; what an input method is at work on is none", () => {
  assert.equal(pressOf(key("k", "KeyK")), "K");
  assert.equal(pressOf(key("K", "KeyK", { shiftKey: true })), "Shift+K");
  assert.equal(pressOf(key("ن", "KeyK")), "K");
  assert.equal(pressOf(key("ㅏ", "KeyK")), "K");
  assert.equal(pressOf(key("ㅏ", "KeyK", { isComposing: true })), null);
  assert.equal(pressOf(key("Process", "KeyK")), null);
  for (const [name, code] of [["Enter", "Enter"], [" ", "Space"], ["F5", "F5"], ["F10", "F10"], ["/", "Slash"], ["?", "Slash"], ["'", "Quote"], ["+", "Equal"], ["ö", "Semicolon"], ["Dead", "BracketLeft"], ["ظ", "Slash"]]) assert.equal(pressOf(key(name, code)), null, name);
  assert.equal(pressOf(key("k", "KeyK", { ctrlKey: true })), null);
});

test("digits, signs and function keys are keys too, by character and, where the keyboard writes another script, by place", () => {
  const named = {
    7: [key("7", "Digit7"), key("7", "Numpad7"), key("٧", "Digit7"), key("৭", "Digit7"), key("7", "Digit7", { shiftKey: true })],
    ";": [key(";", "Semicolon"), key("ك", "Semicolon"), key(";", "Comma", { shiftKey: true }), key(";", "KeyP", { shiftKey: true })],
    ",": [key(",", "Comma"), key("و", "Comma"), key(",", "KeyM")], // the last: a French keyboard
    "[": [key("[", "BracketLeft"), key("ج", "BracketLeft"), key("[", "KeyF", { shiftKey: true })], // the last: an Arabic one
    F8: [key("F8", "F8")],
  };
  for (const [name, events] of Object.entries(named)) {
    useOwnKeys({ S: name });
    const skip = letter("S");
    for (const event of events) {
      assert.equal(pressOf(event), name, `${event.key} ${event.code}`);
      assert.equal(skip(event), true, `${event.key} ${event.code}`);
      assert.equal(skip({ ...event, ctrlKey: true }), false, "the browser's own");
      assert.equal(skip({ ...event, isComposing: true }), false, "part of a character");
      assert.equal(skip({ ...event, keyCode: 229 }), false, "part of a character");
    }
    assert.equal(skip(key("s", "KeyS")), false, "the usual key");
  }
  useOwnKeys({ S: "F8" });
  assert.equal(letter("S")(key("F8", "F8", { shiftKey: true })), false);
  useOwnKeys();
});

test("a digit that an act has chooses nothing, and a sign that an act has is no letter", () => {
  const [nine, bracket] = [key("٩", "Digit9"), key("[", "KeyF", { shiftKey: true })];
  assert.deepEqual([isPlace(nine), letter("F")(bracket)], [true, true]);
  useOwnKeys({ Y: "9", N: "[" });
  assert.deepEqual([isPlace(nine), isDigit(nine), isPlace(key("8", "Digit8")), letter("Y")(nine)], [false, false, true, true]);
  assert.deepEqual([letter("F")(bracket), letter("N")(bracket), letter("F")(key("ب", "KeyF"))], [false, true, true]);
  useOwnKeys({ Y: "0" });
  assert.equal(isZero(key("0", "Digit0")), false);
  useOwnKeys();
});

test("the page of keys and the server know the same signs", async () => {
  const { readFileSync } = await import("node:fs");
  const source = readFileSync(new URL("../../workflow/own_keys.py", import.meta.url), "utf8");
  const signs = /^SIGNS = frozenset\('(.*)'\)$/m.exec(source)[1].replace("\\\\", "\\");
  const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) => !/[A-Za-z0-9]/.test(sign));
  assert.deepEqual(ascii.filter((sign) => pressOf(key(sign, "")) !== null), ascii.filter((sign) => signs.includes(sign)));
});

test("the page of keys writes what can be no key as people call it", async () => {
  const { written } = await import("../../static/src/own_keys/index.js");
  assert.equal(written(key("ن", "KeyK", { shiftKey: true })), "Shift+K");
  assert.equal(written(key("k", "KeyK", { ctrlKey: true })), "Ctrl+k");
  assert.equal(written(key(" ", "Space")), "Space");
  assert.equal(written(key("F5", "F5")), "F5");
});

test("a sign that AltGr writes is a key, on Windows, on Linux and as Option on a Mac; a letter that it writes is none", async () => {
  const { pressOf, useOwnKeys } = await import("../../static/src/task_kit/keys.js");
  const { written } = await import("../../static/src/own_keys/index.js");
  const altGr = { getModifierState: (name) => name === "AltGraph" };
  const systems = { Windows: { ...altGr, ctrlKey: true, altKey: true }, Linux: altGr };
  useOwnKeys({ S: "[", K: "@" });
  for (const [system, more] of Object.entries(systems)) {
    // German: AltGr+8 is "[", AltGr+Q "@". Hungarian: AltGr+F is "[".
    for (const [sign, code] of [["[", "Digit8"], ["@", "KeyQ"], ["[", "KeyF"]]) {
      const pressed = key(sign, code, more);
      assert.deepEqual([pressOf(pressed), written(pressed)], [sign, sign], `${system} ${code}`);
      assert.equal(letter(sign === "[" ? "S" : "K")(pressed), true, `${system} ${code}`);
      assert.equal(letter(code.at(-1))(pressed), false, "the key of the letter or digit below it is not meant");
      assert.equal(isDigit(pressed), false);
    }
    // Polish: AltGr+A is a letter; German: AltGr+E is a sign that nobody can have.
    for (const [character, code] of [["ą", "KeyA"], ["€", "KeyE"], ["²", "Digit2"]]) {
      const pressed = key(character, code, more);
      assert.deepEqual([pressOf(pressed), letter(code.at(-1))(pressed), isDigit(pressed)], [null, false, false], `${system} ${character}`);
    }
    assert.equal(plain("?")(key("?", "KeyW", more)), true, "the list of keys, where the keyboard writes it so");
    assert.equal(plain("Escape")(key("Escape", "Escape", more)), false);
  }
  // With Ctrl or Alt alone it is the browser's.
  for (const more of [{ ctrlKey: true }, { altKey: true }, { ctrlKey: true, altKey: true }, { ...altGr, metaKey: true }]) assert.equal(pressOf(key("[", "BracketLeft", more)), null);
  useOwnKeys({});
});

test("on a Mac, Option writes signs", async () => {
  Object.defineProperty(globalThis, "navigator", { value: { platform: "MacIntel" }, configurable: true });
  const { letter: ofMac, pressOf } = await import("../../static/src/task_kit/keys.js?on-a-mac");
  assert.equal(pressOf(key("[", "Digit5", { altKey: true })), "[", "German");
  assert.equal(pressOf(key("å", "KeyA", { altKey: true })), null);
  assert.equal(ofMac("A")(key("å", "KeyA", { altKey: true })), false);
  assert.equal(pressOf(key("[", "Digit5", { altKey: true, metaKey: true })), null);
  Object.defineProperty(globalThis, "navigator", { value: { platform: "Linux x86_64" }, configurable: true });
});
