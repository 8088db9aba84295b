import { contentTerms } from './content-terms.ts'

/**
 * What a reader needs before any subject of a site: what the product is, how to begin, how to get it. Pages, headings and
 * questions of a role go by many names, so that none of these is found by the words of another.
 */
export type Role = 'introduction' | 'start' | 'installation'

/** By what a role is called: a text has it if it holds one of these and nothing else. */
const calledBy: readonly (readonly [Role, ReadonlySet<string>])[] = [
  ['installation', contentTerms('install installation installing setup')],
  ['start', contentTerms('start started starting quickstart firststeps begin beginner beginning tutorial')],
  ['introduction', contentTerms('introduction introducing intro overview welcome')],
]
/** Most of the titles of a site hold none of these, and need no further look. */
const hint = new RegExp(
  calledBy.flatMap(([, of]) => [...of].map((term) => term.replace(/\W/g, ''))).join('|'),
  'i',
)
const says = /^\s*(?:about|what is)\b/i
/** What a title of any role may have beside it. */
const beside = contentTerms('guide guides instructions tour quick basic docs documentation download')

/** Who writes "installed" says it elsewhere. */
const installs = /\b(?:install|installing|installation|download|downloading)\b/i

/** Whether a text says what its role promises: a title "Setup" may be of a computer, of an account, of a part. */
export function bearsOut(role: Role, title: string, text: string): boolean {
  return role !== 'installation' || /instal/i.test(title) || installs.test(text)
}

/**
 * The role of a question, a title or a heading.
 * @param names terms of what the site is about, which tell nothing
 */
export function roleOf(text: string, names: ReadonlySet<string>): Role | undefined {
  const line = text
    .slice(0, 200)
    .replace(/^\s*(?:step )?\d+(?:[.:)]?\s|(?=[a-z]{2}))/i, '')
    .replace(/\b(set|quick|first)(?:ting)?[ -](up|start|steps)\b/gi, '$1$2')
  if (!hint.test(line) && !says.test(line)) return undefined
  const own = [...contentTerms(line, names)]
  if (own.length === 0) return says.test(line) ? 'introduction' : undefined
  const first = calledBy.find(([, of]) => own.some((term) => of.has(term)))
  const isAll = own.every((term) => beside.has(term) || calledBy.some(([, of]) => of.has(term)))
  return isAll ? first?.[0] : undefined
}

/** Whether a text is about something of its own, beside the product and what pages of any role may be called. */
export function isSubject(text: string, names: ReadonlySet<string>): boolean {
  return [...contentTerms(text, names)].some((term) => !beside.has(term))
}

/** Whether a text is a command of the product: `pnpm start`. */
export function isCommand(line: string, names: ReadonlySet<string>): boolean {
  const [first = '', second = '', ...others] = line.trim().split(/\s+/)
  return others.length === 0 && /^[a-z]+$/.test(first + second) && second !== '' && names.has(first)
}
