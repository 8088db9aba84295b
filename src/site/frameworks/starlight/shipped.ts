import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const starlightShipped: ShippedParts = {
  components: wordsOf(
    'Aside Badge Card CardGrid Code FileTree Icon Image LinkButton LinkCard Picture Steps TabItem Tabs Fragment',
  ),
  directives: wordsOf('note tip caution danger'),
}
