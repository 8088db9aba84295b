/** How calls begin in the formats of models. Nothing else begins a line so. */
const callSigns = [
  '<tool_call',
  '<|tool',
  '<｜tool',
  '[TOOL_CALL',
  '<function=',
  '<function_call',
  '<tool_use',
  '<invoke name=',
  '<|python_tag|>',
  '<|START_ACTION|>',
  '<|action_start|>',
  'to=functions.',
] // prettier-ignore

/** What also begins code and data that answers are about, so that only a call that an answer begins with and ends with counts. */
const fenceOpening = /^```[\w-]{0,12}[ \t]{0,3}\n\s{0,20}/

/**
 * Whether a line may be the beginning of a written call. `sign`: in a format that is only for calls. `data`: as JSON or as
 * in a program, perhaps in a fence. `begun`: more text decides.
 */
export function startOfCall(
  text: string,
  offered: readonly string[],
  isLast: boolean,
): 'sign' | 'data' | 'begun' | undefined {
  const line = text.trimStart()
  if (line === '') return isLast ? undefined : 'begun'
  if (callSigns.some((sign) => line.startsWith(sign))) return 'sign'
  if (!isLast && callSigns.some((sign) => sign.startsWith(line))) return 'begun'
  return startOfData(line, offered, isLast)
}

/** Signs within which the name of a tool has come. */
const farEnough = 160

function startOfData(
  line: string,
  offered: readonly string[],
  isLast: boolean,
): 'data' | 'begun' | undefined {
  const [open = ''] = fenceOpening.exec(line) ?? []
  if (!isLast && open === '' && /^(?:`{1,3}|```[\w-]{0,12}[ \t]{0,3})$/.test(line)) return 'begun'
  const rest = line.slice(open.length)
  if (rest === '') return open !== '' && !isLast ? 'begun' : undefined
  const isNamed = offered.some((name) => rest.startsWith(`${name}(`) || rest.startsWith(`functions.${name}(`))
  if (isNamed) return 'data'
  if (!isLast && offered.some((name) => `${name}(`.startsWith(rest) || `functions.${name}(`.startsWith(rest)))
    return 'begun'
  if (!/^(?:\[\s{0,9})?\{/.test(rest)) return !isLast && rest === '[' ? 'begun' : undefined
  if (offered.some((name) => new RegExp(`"(?:functions\\.)?${name}"`).test(rest))) return 'data'
  return !isLast && rest.length < farEnough ? 'begun' : undefined
}
