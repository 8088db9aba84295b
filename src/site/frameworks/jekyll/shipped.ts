import { type ShippedParts, wordsOf } from '../../pages/shipped-parts.ts'

export const jekyllShipped: ShippedParts = {
  calls: wordsOf(
    'absolute_url comment endcomment endhighlight highlight link post_url raw endraw relative_url toc',
  ),
  includeFolders: ['_includes'],
}
