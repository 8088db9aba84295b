import type { PartMarks } from '../own-part.ts'

/** With what every hidden mark of this server begins. */
export const markStart = '[//]: # (docwright '

/** A line that is not shown. Bitbucket shows HTML comments as text, but hides the definition of a link that is never used. */
export function hiddenMark(name: string): string {
  return `${markStart}${name.replaceAll(/[^\w.:]+/g, '_')})`
}

export const hiddenMarks: PartMarks = { start: hiddenMark('start'), end: hiddenMark('end') }
