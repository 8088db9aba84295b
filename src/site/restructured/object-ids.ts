import type { Directive } from './blocks.ts'

/** An id of Sphinx: it keeps the case of letters. */
export function slugifyCased(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\P{ASCII}/gu, '')
    .replace(/[^\w.]+/g, '-')
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '')
}

/** What a page describes, by name, with the ids that Sphinx gives it. */
export function objectIds(
  block: Directive,
  { domain: usual, module, className }: { domain: string; module: string; className: string },
): [name: string, id: string][] {
  const [, domain = usual, kind = ''] = /^(?:(\w+):)?([\w:]+)$/.exec(block.name) ?? []
  const own = block.options.get('module')?.value ?? module
  return block.argument.slice(0, 50).flatMap(({ text }): [string, string][] => {
    const signature = text.trim()
    if (signature === '') return []
    if (kind === 'envvar') return [[signature, `envvar-${signature}`]]
    if (/^(?:option|cmdoption)$/.test(kind)) {
      const [first = ''] = signature.split(/[\s,=[]/)
      return [[first, `cmdoption-${slugifyCased(first)}`]]
    }
    if (/^(?:confval|setting|signal|command|reqmeta|describe|object)$/.test(kind))
      return [
        [
          signature,
          kind === 'confval'
            ? `confval-${slugifyCased(signature)}`
            : `std-${kind}-${slugifyCased(signature)}`,
        ],
      ]
    if (domain === 'c' || domain === 'cpp' || domain === 'js')
      return inLanguage[domain](signature, kind, className === '' ? own : className)
    if (domain !== '' && domain !== 'py') return []
    const [bare = ''] = signature
      .replace(/^(?:(?:class|async|staticmethod|classmethod|final|abstract)\s+)+/, '')
      .split(/[\s(:=[]/)
    const name = bare.replace(/^@/, '')
    if (!/^[\w.]+$/.test(name)) return []
    const before =
      className !== '' && !name.startsWith(`${className}.`)
        ? `${className}.`
        : own === '' || className !== '' || name.startsWith(`${own}.`)
          ? ''
          : `${own}.`
    return [[`${before}${name}`, `${before}${name}`]]
  })
}

/** Names and ids of what other languages than Python declare. */
const inLanguage = {
  c: (signature: string, _kind: string, within: string): [string, string][] => {
    const name = declaredName(signature)
    // Within another one also a full name is one of its names.
    const whole = within === '' ? name : `${within}.${name}`
    return name === '' ? [] : [[whole, `c.${whole}`]]
  },
  js: (signature: string, _kind: string, within: string): [string, string][] => {
    const [name = ''] = signature.replace(/^(?:class|async|static)\s+/, '').split(/[\s(:=[]/)
    const whole = within === '' || name.startsWith(`${within}.`) ? name : `${within}.${name}`
    // It has no digits and no points at its start.
    return name === '' ? [] : [[whole, slugifyCased(whole).replace(/^[-\d._]+/, '')]]
  },
  cpp: (signature: string, kind: string, within: string): [string, string][] => {
    const name = declaredName(signature.replace(/^template\s*<[^<>]{0,500}>\s*/, ''))
    const whole = within === '' ? name : `${within}::${name}`
    const parts = whole.split('::')
    const written = parts.map((part) => `${part.length}${part}`).join('')
    // The ids of functions and templates have the types of what they take: those lead to the page.
    const isPlain = kind !== 'function' && !/[<(]/.test(signature)
    const id = parts.length === 1 ? `_CPPv4${written}` : `_CPPv4N${written}E`
    return name === '' ? [] : [[whole, isPlain ? id : '']]
  },
} as const

/** The name that a declaration of C declares: `void (*name)(int)`, `int name[3]`, `struct name`. */
function declaredName(signature: string): string {
  const plain = signature.slice(0, 2000)
  const [, pointer] = /^[^(]{0,500}\(\s{0,5}\*\s{0,5}([A-Za-z_][\w.:]{0,200})\s{0,5}\)/.exec(plain) ?? []
  if (pointer !== undefined) return pointer
  const [before = ''] = plain.split(/[([={;]|(?<!:):(?!:)/)
  const last =
    before
      .trim()
      .split(/[\s*&]/)
      .at(-1) ?? ''
  return /^[A-Za-z_~][\w.:]{0,200}$/.test(last) ? last : ''
}
