import { element } from '../dom.ts'
import answerCss from './answer.css'
import panelCss from './panel.css'

let sheet: CSSStyleSheet | undefined

/** Constructable style sheets need no permission of the page's policy; older browsers need the nonce. */
export function addStyles(shadow: ShadowRoot, nonce: string | undefined): void {
  const css = `${panelCss}${answerCss}`
  if ('adoptedStyleSheets' in shadow && 'replaceSync' in CSSStyleSheet.prototype) {
    if (!sheet) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
    }
    shadow.adoptedStyleSheets = [sheet]
    return
  }
  shadow.append(element('style', { nonce }, css))
}
