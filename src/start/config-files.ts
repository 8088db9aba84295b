import { readFileSync } from 'node:fs'

/** The values of variables, also of those whose `_FILE` names a file that holds one. */
export function withFiles(
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {}
  const problems: string[] = []
  for (const name of names) {
    const value = environment[name]
    const file = environment[`${name}_FILE`]
    // An empty variable is how compose files and shells say "not set".
    if (value) values[name] = value
    else if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim()
      } catch {
        problems.push(`${name}_FILE names ${file}, which cannot be read`)
      }
    }
  }
  return { values, problems }
}
