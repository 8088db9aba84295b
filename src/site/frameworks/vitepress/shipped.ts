import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const vitepressShipped: ShippedParts = {
  components: wordsOf('Badge ClientOnly Content Transition TransitionGroup KeepAlive Suspense'),
  directives: wordsOf(
    'info tip warning danger details note important caution code-group raw v-pre code-group-item code tabs tab',
  ),
}
