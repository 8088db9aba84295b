/** Messages for a model after an answer without usable tool calls. */
export const reminders = {
  text: 'You answered without calling a tool. Go on with the tools; when you are done, or nothing needs to change, call finish; to ask the person, call ask_person.',
  written:
    'You wrote a tool call into your text, where it does not run. Call the tool itself, in the way that your interface has for tool calls.',
  empty:
    'Your answer was empty. Go on with the tools; when you are done, or nothing needs to change, call finish.',
  cut: 'Your answer was cut off because it was too long, and the call that was cut off was not run. Go on in smaller pieces: several short edits instead of a long one.',
}

/** The built-in model computes its steps from the transcript alone, so it must be neither extended nor shortened. */
export function isLanguageModel(model: string): boolean {
  return model !== 'builtin'
}
