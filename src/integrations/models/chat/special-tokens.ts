/**
 * What models write between the parts of a conversation, by its forms: `<|im_end|>`, `<｜end▁of▁sentence｜>`, `</s>`,
 * `<end_of_turn>`, `<channel|>`. Servers should not send it on, but some do.
 */
const specialToken =
  /<\|[a-z_][\w ]{0,30}\|?>|<[a-z_]{1,30}\|>|<｜[^｜<>]{1,30}｜>|<\/s>|<(?:start|end)_of_turn>|<e[ou][st]>/iy
/** The beginning of one, at the end of a text. */
const begunToken = /^<(?:\|[\w ]{0,31}\|?|[a-z_]{1,30}\|?|｜[^｜<>]{0,30}｜?|\/s?)?$/i
/** They stand before calls, which others read. */
const ofCalls = /tool|call|python|function|action|args/i
/** Behind these comes whose words follow. */
const ofRoles = /start|channel|role/i

export interface SpecialToken {
  /** Signs of the token, with the name of the role behind it. */
  length: number
  /** Whether the words of another one than the model follow, which it made up. */
  isOther: boolean
}

/** The token at a place of a text; `begun` where more text decides, undefined where there is none. */
export function tokenAt(text: string, at: number, isLast: boolean): SpecialToken | 'begun' | undefined {
  specialToken.lastIndex = at
  const [found] = specialToken.exec(text) ?? []
  if (found === undefined) return !isLast && begunToken.test(text.slice(at, at + 40)) ? 'begun' : undefined
  if (ofCalls.test(found)) return undefined
  const rest = text.slice(at + found.length, at + found.length + 20)
  if (!ofRoles.test(found)) return { length: found.length, isOther: false }
  if (!isLast && rest.length < 20 && /^[a-z]*$/i.test(rest)) return 'begun'
  const [role = '', name = ''] = /^([a-z]{4,12})\s{0,2}/i.exec(rest) ?? []
  const isOther = /^(?:user|human|system|tool|ipython)$/i.test(name)
  const isOwn = /^(?:assistant|model|final|analysis|commentary|thought)$/i.test(name)
  return { length: found.length + (isOwn ? role.length : 0), isOther }
}

/** How thoughts begin and end, where models write them into their text. */
const thoughtForms: { open: RegExp; begun: RegExp; close: (open: string) => RegExp }[] = [
  {
    open: /^<((?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning))>/i,
    begun: /^<[\w:]{0,24}$/,
    close: (open) => new RegExp(open.replace('<', '</'), 'i'),
  },
  { open: /^\[THINK\]/, begun: /^\[(?:T(?:H(?:I(?:NK?)?)?)?)?$/, close: () => /\[\/THINK\]/ },
  { open: /^◁think▷/, begun: /^◁[a-z]{0,5}$/, close: () => /◁\/think▷/ },
  {
    open: /^<\|channel\|>\s?(?:analysis|commentary)(?![^<]{0,40}to=)[^<]{0,40}<\|message\|>/,
    begun: /^<\|?(?:c[a-z]{0,6}(?:\|(?:>[^<]{0,60}(?:<\|?[a-z]{0,7}\|?)?)?)?)?$/,
    // The next part of the conversation begins there, too.
    close: () => /<\|(?:end|start|call|return)\|>/,
  },
  { open: /^<\|channel>thought\n?/, begun: /^<\|channel>[a-z]{0,7}$/, close: () => /<channel\|>/ },
  { open: /^<\|START_THINKING\|>/, begun: /^<\|[A-Z_]{0,14}\|?$/, close: () => /<\|END_THINKING\|>/ },
  // The same as channels, without the special tokens.
  {
    open: /^analysis(?=[A-Z])/,
    begun: /^a(?:n(?:a(?:l(?:y(?:s(?:is?)?)?)?)?)?)?$/,
    close: () => /assistantfinal/,
  },
]

/** The opening of thoughts that a text begins with: its length, and how they end. */
export function thoughtAt(
  text: string,
  isLast: boolean,
): { length: number; close: RegExp } | 'begun' | undefined {
  for (const { open, close } of thoughtForms) {
    const [found] = open.exec(text) ?? []
    if (found !== undefined) return { length: found.length, close: close(found) }
  }
  return !isLast && thoughtForms.some(({ begun }) => begun.test(text)) ? 'begun' : undefined
}

/** The end of thoughts whose beginning the template wrote, so that it is not in the answer. */
export const loneEnd = /<\/(?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning)>|\[\/THINK\]|◁\/think▷/gi
export const longestEnd = 26
