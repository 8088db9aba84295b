import { readEntities } from './addresses.ts'

/** A value that looks like a credential: of which kind, on which line (from 1). The value itself is never told. */
export interface FoundSecret {
  kind: string
  line: number
}

const maxLine = 20_000

// Each takes time in proportion to the line: every repeat is bounded or cannot overlap with what follows it.
const formats: readonly [kind: string, pattern: RegExp][] = [
  ['AWS access key', /\b(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z2-7]{16}\b/g],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g],
  ['GitHub token', /\bgithub_pat_[A-Za-z0-9_]{60,255}\b/g],
  ['GitLab token', /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{20,200}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{20,250}/g],
  ['Slack app token', /\bxapp-\d-[A-Za-z0-9-]{20,250}/g],
  ['Slack webhook', /\bhooks\.slack\.com\/services\/T[A-Z0-9]{7,12}\/B[A-Z0-9]{7,12}\/[A-Za-z0-9]{20,40}/g],
  ['Discord webhook', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/[A-Za-z0-9_-]{50,100}/g],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ['Google OAuth secret', /\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g],
  ['Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{24,200}/g],
  ['OpenAI key', /\bsk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1)-)?[A-Za-z0-9_-]{32,200}/g],
  ['Stripe key', /\b(?:sk|rk)_live_[A-Za-z0-9]{16,250}/g],
  ['Stripe webhook secret', /\bwhsec_[A-Za-z0-9+/=]{24,100}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI token', /\bpypi-[A-Za-z0-9_-]{60,250}/g],
  ['Docker token', /\bdckr_pat_[A-Za-z0-9_-]{27}/g],
  ['Hugging Face token', /\bhf_[A-Za-z]{34}\b/g],
  ['SendGrid key', /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['Linear key', /\blin_api_[A-Za-z0-9]{40}\b/g],
  ['Telegram bot token', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g],
  ['Hashicorp Vault token', /\bhv[sbr]\.[A-Za-z0-9_-]{24,300}/g],
  ['Grafana token', /\bgl(?:sa|c)_[A-Za-z0-9+/=_-]{32,300}/g],
  ['Databricks token', /\bdapi[a-f0-9]{32}\b/g],
  ['Notion token', /\b(?:ntn_|secret_)[A-Za-z0-9]{40,60}\b/g],
  ['Atlassian token', /\bATATT3x[A-Za-z0-9_=-]{40,300}/g],
  ['Figma token', /\bfigd_[A-Za-z0-9_-]{36,100}/g],
  ['Groq key', /\bgsk_[A-Za-z0-9]{40,80}\b/g],
  ['xAI key', /\bxai-[A-Za-z0-9]{60,120}\b/g],
  ['Replicate token', /\br8_[A-Za-z0-9]{36,40}\b/g],
  ['Perplexity key', /\bpplx-[A-Za-z0-9]{40,60}\b/g],
  ['age key', /\bAGE-SECRET-KEY-1[A-Z0-9]{40,70}\b/g],
  ['Supabase token', /\bsbp_[a-f0-9]{40}\b/g],
  ['PlanetScale token', /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,100}/g],
  ['Doppler token', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,60}/g],
  ['Sentry token', /\bsntr(?:y[su])_[A-Za-z0-9+/=_-]{40,400}/g],
  ['New Relic key', /\bNRAK-[A-Z0-9]{27}\b/g],
  ['Postman key', /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g],
  ['Azure storage key', /\bAccountKey=[A-Za-z0-9+/]{80,90}={0,2}/g],
  ['Twilio key', /\bSK[a-f0-9]{32}\b/g],
  ['Square token', /\b(?:sq0atp-|sq0csp-|EAAA)[A-Za-z0-9_-]{22,60}\b/g],
  ['Mailgun key', /\bkey-[a-f0-9]{32}\b/g],
  ['Terraform token', /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}/g],
  ['Pulumi token', /\bpul-[a-f0-9]{40}\b/g],
  ['Docwright key', /\bsvc_(?:dsc_)?[A-Za-z0-9_-]{40,80}/g],
  ['Docwright app token', /\bmc[cpr]_[A-Za-z0-9]{32,80}\b/g],
  ['JSON web token', /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/g],
]
/** Characters of the shortest of them all. */
const shortest = 16
const privateKey = /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
const base64 = /^[\s"'`>|+\\n]{0,20}[A-Za-z0-9+/=]{40,}/
const password = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>]{1,100}:([^\s:@/"'`<>]{8,200})@[\w.-]/gi
const assignment =
  /\b\w{0,40}(?:password|passwd|secret|token|api_?key|access_?key|private_?key|credential)\w{0,40}["']?\s{0,5}(?:[:=]|=>)\s{0,5}["'`]([^"'`\s]{20,200})["'`]/gi

/** Without quotes: as in files of the environment, YAML, addresses, headers and command lines. */
const bare: readonly RegExp[] = [
  /\b[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)[A-Z0-9_]{0,40}=([^\s"'`&;,<>(){}$]{20,200})/g,
  /^\s*(?:-\s+)?\w{0,40}(?:password|passwd|secret|token|api_?key|access_?key|private_?key)\w{0,40}:\s{1,5}([^\s"'`#&;,<>(){}$]{20,200})\s*$/gi,
  /[?&]\w{0,20}(?:password|secret|token|api_?key|access_?key|sig|signature)=([^\s&#"'`<>(){}$]{20,200})/gi,
  /\b(?:Bearer|Basic)\s{1,3}([A-Za-z0-9._~+/-]{24,400}={0,2})/g,
  /(?:^|\s)(?:-u|--user)[\s=]{1,3}["']?[\w.@-]{1,60}:([^\s"'`<>(){}$]{16,200})/g,
]

const placeholder =
  /example|sample|placeholder|dummy|fake|your|xxx|\.\.\.|…|\*\*\*|<|>|\$\{|\{\{|changeme|insert|replace|redacted|test|secret|password|12345|abcde|0000|demo|my[-_]|todo|token|deadbeef/i

/** Credentials in the lines that count, given with their numbers. */
export function findSecrets(
  lines: readonly { text: string; line: number }[],
  counts: (line: { text: string }) => boolean = () => true,
): FoundSecret[] {
  const secrets: FoundSecret[] = []
  for (const [index, line] of lines.entries()) {
    if (!counts(line)) continue
    const next = lines[index + 1]?.text ?? ''
    const kind =
      piecesOf(line.text)
        .map((piece) => kindOn(piece, next) ?? hiddenKindOn(piece))
        .find((one) => one !== undefined) ?? brokenKindOn(line.text, next)
    if (kind !== undefined) secrets.push({ kind, line: line.line })
  }
  return secrets
}

/** A text whose lines with credentials are left out. */
export function withoutSecrets(text: string): string {
  const lines = text.split('\n')
  const secretLines = new Set(
    findSecrets(lines.map((line, index) => ({ text: line, line: index }))).map(({ line }) => line),
  )
  if (secretLines.size === 0) return text
  return lines
    .map((line, index) => (secretLines.has(index) ? '(left out: it looks like a secret)' : line))
    .join('\n')
}

/** One that is written so that it is not seen as such: with characters between, by references, or encoded. */
function hiddenKindOn(text: string): string | undefined {
  // Read, it is no longer than it is written.
  if (text.length < shortest) return undefined
  const others = new Set<string>()
  if (text.includes('&')) others.add(readEntities(text))
  if (text.includes('%'))
    others.add(
      text.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    )
  others.add(text.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\\]|\*{2,4}|<[^<>]{0,100}>/g, ''))
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{32,8000}={0,2}/g)) {
    others.add(Buffer.from(run, /^(?:[0-9a-f]{2})+$/i.test(run) ? 'hex' : 'base64').toString('latin1'))
  }
  others.delete(text)
  for (const other of others) {
    const kind = formatOn(other)
    if (kind !== undefined) return kind
  }
  return undefined
}

/** One that goes over the end of a line. */
function brokenKindOn(text: string, next: string): string | undefined {
  const [head, tail] = [text.slice(-300).trimEnd(), next.slice(0, 300).replace(/^[\s>*-]+/, '')]
  if (head === '' || tail === '' || !/[A-Za-z0-9_-]$/.test(head)) return undefined
  const joined = head + tail
  if (joined.length < shortest) return undefined
  for (const [kind, pattern] of formats) {
    for (const match of joined.matchAll(pattern))
      if (match.index < head.length && match.index + match[0].length > head.length && isReal(match[0]))
        return kind
  }
  return undefined
}

// Long lines in pieces that overlap by more than any secret is long.
function piecesOf(text: string): string[] {
  if (text.length <= maxLine) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += maxLine - 8000) pieces.push(text.slice(at, at + maxLine))
  return pieces
}

function kindOn(text: string, next: string): string | undefined {
  if (text.length < shortest) return undefined
  const format = formatOn(text)
  if (format !== undefined) return format
  const key = privateKey.exec(text)
  // Without its content the line is an explanation.
  if (key !== null) {
    const rest = text.slice(key.index + key[0].length)
    if ([rest.replace(/^(?:\\r|\\n)+/, ''), next].some((part) => base64.test(part) && isReal(part.trim())))
      return 'private key'
  }
  for (const [, value = ''] of text.matchAll(password)) {
    if (isReal(value) && isRandom(value)) return 'password in an address'
  }
  for (const pattern of [assignment, ...bare]) {
    for (const [, value = ''] of text.matchAll(pattern)) if (isReal(value) && isRandom(value)) return 'secret'
  }
  return undefined
}

function formatOn(text: string): string | undefined {
  for (const [kind, pattern] of formats) {
    for (const [value] of text.matchAll(pattern)) if (isReal(value)) return kind
  }
  return undefined
}

/** Not what documentation shows in the place of a secret. */
function isReal(value: string): boolean {
  // A token's fixed beginning says nothing about it.
  const body = value.replace(
    /^(?:svc_(?:dsc_)?|AGE-SECRET-KEY-|sk-ant-|sk-(?:proj|svcacct|admin|or-v1)-|[A-Za-z]{2,10}[-_])/,
    '',
  )
  if (placeholder.test(body)) return false
  if (/(.)\1{5}/.test(value)) return false
  if (value.startsWith('eyJ')) return !isSampleToken(value)
  return entropy(body) > 3
}

// Letters, digits and no word of any language: what a person would not make up.
function isRandom(value: string): boolean {
  if (!/[a-z]/i.test(value) || !/\d/.test(value)) return false
  // Names, addresses, paths, calls and identifiers.
  if (/^(?:https?:|\/|\.|\w+\(|[a-z]+(?:[-_.:][a-z]+)+)/i.test(value) || /[\s()[\]{},;]/.test(value))
    return false
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value)) return false
  return entropy(value) > (/^[0-9a-f]+$/i.test(value) ? 3.2 : 3.8)
}

function isSampleToken(value: string): boolean {
  const payload = value.split('.')[1] ?? ''
  const text = Buffer.from(payload, 'base64url').toString('latin1')
  return /1234567890|example|John Doe|Jane Doe|test|sample|"sub":"(?:user|alice|bob|\d{1,6})/i.test(text)
}

/** Bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
