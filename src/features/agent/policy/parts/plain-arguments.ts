import { activeScheme } from '../addresses.ts'

/** Names that say that their content is run or put into the page as it is: it is judged as a whole, whoever has the name. */
export const runningName =
  /raw|html|eval|exec|(?:^|[-_:])(?:run|sage|manim)|output|cmd(?!option)|(?<!de)script|ipython|jupyter|notebook|pyodide|shell|program|plot$|(?:data|view|java)js$|live|demo|playground|preview$|sandbox|repl$|code-cell|doctest|include|embed|iframe/i

/** Whether what an argument says stays text where it becomes the value of an attribute or a part of a page. */
export function isPlainArgument(value: string): boolean {
  if (/[<>{}`\\]|["'][^"']*=|\$\{/.test(value)) return false
  return activeScheme(value) === undefined && !/(?:^|[\s(])(?:java|vb)script:|data:text/i.test(value)
}

/** Words, without anything by which a program calls, assigns, reads or leads: arguments and content of a directive. */
export function isProse(line: string): boolean {
  const plain = line.replaceAll(
    /``[^`]{0,500}``|:[\w:-]{1,60}:`[^`<>]{0,500}`|(?<=^|[\s,])--?[\w-]{1,60}[= ]<[\w -]{1,60}>/g,
    '',
  )
  return isPlainArgument(plain) && !/[\p{L}\p{N}_][([]|[=$;|&\\]|[/]{2}|\.\.\//u.test(plain)
}

const argument =
  /\s*(?:([\w.:-]{1,60})\s*[=:]\s*)?(?:"([^"]*)"|'([^']*)'|`([^`]*)`|\u201c([^\u201d]*)\u201d|([^\s"'`=,|]+),?)/y

/** The arguments of a call of a template, all of them plain: texts, numbers and words. */
export function hasPlainArguments(list: string): boolean {
  const text = list.trim()
  for (let at = 0; at < text.length;) {
    argument.lastIndex = at
    const match = argument.exec(text)
    if (match === null || match[0] === '') return false
    const [whole, name, double, single, tick, curly, bare] = match
    const value = double ?? single ?? tick ?? curly ?? bare ?? ''
    // A word with dots is asked for its field, unless it is the name of a file or a number.
    const isComputed =
      bare !== undefined &&
      !/^-?[\d.]+(?:%|[a-z]{1,4})?$/.test(bare) &&
      (/[^\w./#:@%-]/.test(bare) || (name !== undefined && bare.includes('.')))
    if (isComputed || !isPlainArgument(value)) return false
    // A quote that the text itself has would end another around it.
    if (double === undefined && /"/.test(value)) return false
    at += whole.length
  }
  return true
}

const event =
  /^on(?:abort|(?:after|before)[a-z]+|animation\w+|auxclick|blur|cancel|canplay\w*|change|click|close|command|context\w+|copy|cuechange|cut|dblclick|drag\w*|drop|durationchange|emptied|ended|error|focus\w*|formdata|fullscreen\w+|\w+pointercapture|hashchange|input|invalid|key(?:down|up|press)|languagechange|load\w*|message\w*|mouse\w+|offline|online|page(?:hide|show|reveal|swap)|paste|pause|play(?:ing)?|pointer\w+|popstate|progress|ratechange|rejectionhandled|reset|resize|scroll\w*|search|securitypolicyviolation|seek(?:ed|ing)|select\w*|show|slotchange|stalled|storage|submit|suspend|timeupdate|toggle|touch\w+|transition\w+|unhandledrejection|unload|volumechange|waiting|webkit\w+|wheel)$/i

/** A field that is code, or is put into the page as HTML, where fields become attributes of elements. */
export function isRunningKey(key: string): boolean {
  return (
    // Attributes have no slash: `@scope/name` is a package.
    /^(?:[:@]|v-|x-|set:|client:|bind:|on:)[^/]*$/i.test(key) ||
    /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc|formaction|http-equiv.*)$/i.test(key) ||
    event.test(key)
  )
}
