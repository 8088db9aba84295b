/** An entry of `.docwright/ignore.yml`: all problems of a kind, of a file, or both, and of those the ones that say a text. */
export interface IgnoreEntry {
  kind?: string | undefined
  path?: string | undefined
  text?: string | undefined
}

const longest = 5000
const form =
  /^Ignore problems(?: of the kind ([a-z_]{1,40}))?(?: in ("(?:[^"\\]|\\.)+"))?(?: with the text ("(?:[^"\\]|\\.)+"))?$/

/** The prompt of a job that adds one entry to what a repository ignores. Its texts are as JSON has them. */
export function writeIgnoreRequest({ kind, path, text }: IgnoreEntry): string {
  const parts = [
    kind && ` of the kind ${kind}`,
    path && ` in ${JSON.stringify(path)}`,
    text && ` with the text ${JSON.stringify(text)}`,
  ]
  return `Ignore problems${parts.map((part) => part ?? '').join('')}`
}

/** Reads a prompt that is such a request and nothing else; undefined for any other. */
export function readIgnoreRequest(prompt: string): IgnoreEntry | undefined {
  const [whole, kind, path, text] = (prompt.length <= longest && form.exec(prompt)) || []
  if (whole === undefined || (kind === undefined && path === undefined)) return undefined
  try {
    const request = { kind, path: path && textOf(path), text: text && textOf(text) }
    return writeIgnoreRequest(request) === prompt ? request : undefined
  } catch {
    return undefined
  }
}

function textOf(written: string): string {
  return String(JSON.parse(written))
}
