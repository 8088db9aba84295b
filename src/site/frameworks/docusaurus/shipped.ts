import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const docusaurusShipped: ShippedParts = {
  components: wordsOf('Details Admonition Tabs TabItem CodeBlock TOCInline DocCardList DocCard Fragment'),
  directives: wordsOf('note tip info warning danger caution important secondary success'),
}
