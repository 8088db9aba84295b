import { isExampleHost, placesOf } from '../addresses.ts'
import { lineAt, type Part, shown } from './text-parts.ts'

const maxLine = 4000
const address = /(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/[^\s"'`<>|;)]{1,1000}/gi
/** Programs that run what they are given. */
const shell = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+)?(?:ba|z|da|k|fi)?sh\b|python[\d.]*\b|node\b|deno\b|bun\b|perl\b|ruby\b|php\b|pwsh\b|powershell\b|iex\b|invoke-expression\b|source\b`
/** A command that fetches something and runs it, or has a package manager do so. */
const fetchesAndRuns = new RegExp(
  [
    String.raw`\b(?:curl|wget|fetch|http|https|aria2c)\b[^\n]*?\|\s*(?:tee\s[^|]*\|\s*)?(?:${shell})`,
    String.raw`(?:${shell}|\beval\b|\bexec\b|(?:^|[\s;&])\.)\s[^\n]*?(?:<\(|\$\(|\x60)\s*(?:curl|wget)\b`,
    String.raw`\b(?:curl|wget)\b[^\n]*(?:&&|;)[^\n]*(?:chmod\s+\S*x|(?:${shell})|\./)`,
    String.raw`\bdocker\s+(?:run|pull)\b[^\n]*\s(?:[a-z\d-]+\.)+[a-z]{2,}[:/]`,
    String.raw`\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b`,
    String.raw`(?:^|[\x60$#>|&;(]|\brun:?)\s*(?:sudo\s+)?(?:npx|bunx|uvx|pipx|dlx|npm\s+(?:i|install|exec|x)|pnpm\s+(?:add|i|install)|yarn\s+add|bun\s+(?:add|i)|pip[\d.]*\s+install|uv\s+(?:pip\s+install|add|tool)|cargo\s+install|gem\s+install|brew\s+(?:tap|install)|helm\s+(?:repo\s+add|install|upgrade)|kubectl\s+(?:apply|create)|docker\s+(?:run|build|pull)|deno\s+(?:run|install)|add-apt-repository|apt-key|rpm|dnf\s+install|yum\s+install|code\s+--install-extension|terraform\s+init)\s[^\n]*\/\/`,
  ].join('|'),
  'i',
)

/**
 * Commands that fetch something from a host and run it, wherever they stand: readers copy them and agents follow them.
 * They are nothing new where the base names the host.
 */
export function commandParts(text: string): Part[] {
  const parts: Part[] = []
  // A backslash goes on in the next line.
  const joined = text.replaceAll(/[\\^]\r?\n/g, (end) => ' '.repeat(end.length))
  let at = 0
  for (const line of joined.split('\n')) {
    const start = at
    at += line.length + 1
    if (!line.includes('//') && !/\b(?:curl|wget|iwr|irm|docker)\b/i.test(line)) continue
    const command = line.slice(0, maxLine)
    if (!fetchesAndRuns.test(command)) continue
    const named = [...command.matchAll(address)].flatMap(([one]) =>
      placesOf(`https:${one.slice(one.indexOf('//'))}`),
    )
    // Without a scheme, as curl takes it, and of images.
    const bare = [
      ...command.matchAll(
        /\b(?:curl|wget|iwr|irm|docker\s+(?:run|pull))\b[^|;&\n]*?\s((?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?\/\S*)/gi,
      ),
    ].flatMap(([, one = '']) => placesOf(`https://${one}`))
    for (const host of new Set([...named, ...bare])) {
      if (isExampleHost(host.split('/', 1)[0] ?? '')) continue
      parts.push({
        key: `host ${host}`,
        line: lineAt(text, start),
        what: `a command that fetches something from ${host} and runs it, a host that the site does not name: ${shown(command)}`,
        approval: { kind: 'part', value: `command ${host}` },
      })
    }
  }
  return parts
}
