import type { ShippedParts } from '../../pages/shipped-parts.ts'

export const antoraShipped: ShippedParts = {
  includedPath(given) {
    const [, module = '', family = '', path = ''] =
      /^(?:([\w-]+):)?(partial|example|page|attachment)\$([^$:@]+)$/.exec(given) ?? []
    return family === '' ? undefined : `${module === '' ? '' : `${module}/`}${family}s/${path}`
  },
}
