/** One step of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  name: string
  text: string
}

/** Reads what this repository's Dockerfile uses of the format. */
export function readDockerfile(text: string): Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.+)$/.exec(line.trim()) ?? []
      return name === undefined || rest === undefined ? [] : [{ name, text: rest }]
    })
}

/** `NAME=value OTHER=value`. */
export function variablesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)]
  return Object.fromEntries(pairs.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']))
}

/** A command as a list, which is not run by a shell. */
export function listOf(text: string): string[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw new Error(`${text} is no list of words`)
  return list
}
