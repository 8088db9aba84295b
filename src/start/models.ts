import { createBuiltinModel } from '../integrations/models/builtin/create-builtin-model.ts'
import type { FindModel } from '../integrations/models/model.ts'
import { AppError } from '../lib/errors.ts'

/** The models that this server offers. */
export const findModel: FindModel = (name) => {
  if (name === 'builtin') return createBuiltinModel()
  throw new AppError(
    'invalid',
    `There is no model ${JSON.stringify(name.slice(0, 100))} on this server; it offers "builtin"`,
  )
}
