/** Words of a class by which a reader does not see what has it. */
const hidingWord =
  /^(?:hid(?:e|den)|is-hidden|invisible|is-invisible|collapse|off-?screen|noshow|no-?display|d-none|display-none|sr-?only|visually-?hidden|screen-?reader(?:-?(?:only|text))?|a11y-hidden|assistive-text|text-transparent)$/
/** Prefixes of libraries: `u-hidden`, `pf-v5-screen-reader`. */
const prefix = /^(?:[a-z]{1,3}(?:-v\d)?|element)-/
/** Sizes and places of Tailwind by which nothing can be seen, and places far outside. */
const hidingSize =
  /^(?:(?:opacity|scale|scale-[xy]|size|text)-(?:0|\[\.?0[^\]]{0,20}\]|\[[12]px\])|-?(?:-?indent|(?:-?translate-[xy])|-?(?:left|right|top|bottom|inset(?:-[xy])?))-\[-?\d{3,9}[^\]]{0,20}\])$/
const flat = /^(?:max-)?[hw]-0$|^(?:max-)?[hw]-\[0(?:px)?\]$/

/** Those of an element's classes that hide it together. Ones that show it again for some readers hide nothing. */
export function hidingClasses(classes: readonly string[]): string[] {
  if (classes.some((one) => /:(?:block|inline|flex|grid|not-sr-only|visible|contents|table)/.test(one)))
    return []
  const plain = classes.map((one) => one.toLowerCase().replaceAll('_', '-').replaceAll(/^!|!$/g, ''))
  const cuts = plain.some((one) => /^overflow-(?:hidden|clip)$/.test(one))
  const hasGround = plain.some((one) => /^(?:bg|from|badge|btn|button|label)\b/.test(one))
  return plain.filter(
    (one) =>
      hidingWord.test(one) ||
      (one.startsWith('[') &&
        one.endsWith(']') &&
        one.includes(':') &&
        hidingStyle(one.slice(1, -1)) !== undefined) ||
      hidingWord.test(one.replace(prefix, '')) ||
      hidingSize.test(one) ||
      (cuts && flat.test(one)) ||
      (!hasGround && one === 'text-white'),
  )
}

/** Properties that change how a text looks, whatever their value. */
const shownProperty =
  /^(?:(?:align|all|animation|appearance|aspect|background|border|box|break|caption|caret|clear|column|columns|content|counter|cursor|fill|flex|float|gap|grid|hyphens|image|isolation|justify|line|list|max|min|object|order|orphans|outline|overflow|overscroll|padding|page|perspective|place|pointer|position|print|quotes|resize|rotate|row|scroll|scrollbar|shape|stroke|stop|tab|table|text-(?!fill)|touch|transition|unicode|user|vertical|white|widows|will|word|writing|letter|z)(?:-(?!block-size)[a-z-]+)?|color|font-(?:family|weight|style|variant[\w-]*|stretch|feature-settings|smooth)|width|height|direction|-(?:webkit|moz|ms)-(?!text-fill|mask|clip)[a-z-]+)$/

/** The first declaration of a style that hides what has it. */
export function hidingStyle(style: string): string | undefined {
  const declarations = style
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .split(/[;,{}\n](?![^(]*\))/)
    .map((one) => one.replaceAll(/["'`\s]|!important/g, '').toLowerCase())
  const has = (pattern: RegExp): boolean => declarations.some((one) => pattern.test(one))
  const cuts = has(/^overflow(?:-[xy])?:(?:hidden|clip)/)
  const ground = declarations.find((one) => /^background(?:-color)?:/.test(one))
  return declarations.find((one) => {
    const [name = '', value = ''] = one.split(/:(.*)/s)
    if (name === '' || name.startsWith('--') || value === '') return false
    if (name === 'display')
      return !/^(?:(?:inline-?)?(?:block|flex|grid|table[\w-]*)?|contents|list-item|flow-root|initial|inherit|revert|unset)$/.test(
        value,
      )
    if (name.endsWith('visibility')) return value !== 'visible'
    if (/^(?:opacity|scale|zoom)$/.test(name)) return isTiny(value, 0.15)
    if (name === 'font-size') return isTiny(value, value.endsWith('px') ? 3 : 0.3)
    if (name === 'color')
      return isUnseen(value) && (ground === undefined || isUnseen(ground.slice(ground.indexOf(':') + 1)))
    if (/^(?:max-)?(?:height|width)$/.test(name)) return cuts && isTiny(value, value.endsWith('px') ? 3 : 0.1)
    if (/^(?:transform|filter)$/.test(name))
      return /(?:scale|opacity)-?(?:3d|[xy])?\(0?\.?0{0,9}[,)]|translate\w{0,5}\([^)]{0,60}\d{3}|rotate-?(?:3d|[xy])/.test(
        value,
      )
    if (name === 'z-index') return value.startsWith('-') && has(/^position:/)
    if (/^(?:left|top|right|bottom|inset.*|margin.*|text-indent|translate)$/.test(name))
      return /-\d{3}|\d{3}v[wh]/.test(value)
    return !shownProperty.test(name) && !/^(?:none|auto|normal)$/.test(value)
  })
}

function isTiny(value: string, limit: number): boolean {
  const [, number, unit] = /^(?=[\d.])(\d{0,9}(?:\.\d{1,9})?)(px|em|rem|%|pt|vw|vh)?$/.exec(value) ?? []
  return number !== undefined && Number(number) < (unit === '%' ? limit * 100 : limit)
}

/** White or nearly so, or nothing at all: the color of the page that it stands on. */
function isUnseen(color: string): boolean {
  return /^(?:white|transparent|snow|ivory|whitesmoke|ghostwhite|floralwhite|#f[\da-f]f[\da-f]f[\da-f]|#fff|#[\da-f]{3}0|#[\da-f]{6}0[\da-f]|(?:rgb|hsl)a?\(.*[,/]0?\.?0\d?%?\)|rgba?\(25\d,25\d,25\d(?:,[\d.]+)?\))$/.test(
    color,
  )
}
