import { isHidingClass } from './inert-names.ts'
import { partOf, type Part } from './text-parts.ts'

/** Styles by which readers do not see what is in an element; programs do. */
const hidingStyle =
  /(?:^|[;,{\s])(?:display:none|visibility:(?:hidden|collapse)|font-size:0(?![.\d])|opacity:0?(?:\.0\d*)?(?![.\d])|color:transparent|clip(?:-path)?:|text-indent:-\d{3}|(?:left|top|right|bottom|margin[a-z-]*):-\d{3})/
/** An attribute of an element that hides what is in it. Classes that show it again for some readers hide nothing. */
export function hidingParts(name: string, value: string, line: number): Part[] {
  const what = 'what hides text from readers'
  if (/^hidden$/i.test(name)) return [{ ...partOf('hiding', what, 'hidden', line), words: 'hidden' }]
  if (/^class(?:name)?$/i.test(name)) {
    const classes = value.split(/[\s"'`{}]+/)
    if (classes.some((one) => /:(?:block|inline|flex|grid|not-sr-only|visible|contents|table)/.test(one)))
      return []
    return classes.filter(isHidingClass).map((one) => partOf('hiding', what, `class ${one}`, line))
  }
  if (!/^style$/i.test(name)) return []
  const style = value.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(/["'`\s]/g, '')
  const [found] = hidingStyle.exec(style) ?? []
  return found === undefined ? [] : [{ ...partOf('hiding', what, `style ${found}`, line), words: '' }]
}
