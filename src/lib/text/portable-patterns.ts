/**
 * Patterns that are published in the API's description. A reader of it has the pattern and no flags, and few know `\p{…}`, so that
 * control characters are written as ranges.
 */
const control = String.raw`\x00-\x1f\x7f-\x9f`

export const withoutControls = new RegExp(`^[^${control}]*$`)
export const upTo200WithoutControls = new RegExp(`^[^${control}]{1,200}$`)
export const withoutControlsAndSpaces = new RegExp(String.raw`^[^\s${control}]+$`)
export const withoutControlsAndCommas = new RegExp(`^[^,${control}]+$`)
