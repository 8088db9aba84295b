import { html } from 'hono/html'
import { givenVisibility } from '../../../features/projects/settings.ts'
import { readers, visibilities } from '../../../features/projects/visibility.ts'
import type { Visibility } from '../../../features/projects/visibility.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Html } from '../html/html.ts'
import { fieldOf } from '../read-form.ts'

/** Who may read the rendered pages. @param chosen empty: people who are signed in */
export function visibilityField(chosen: string): Html {
  const current = chosen === '' ? 'signed-in' : chosen
  return html`<label for="visibility">Who may read the pages that this server shows below /docs/</label>
    <select id="visibility" name="visibility">
      ${visibilities
        .toReversed()
        .map(
          (name) =>
            html`<option value="${name}" ${name === current ? html` selected` : ''}>
              ${readers[name]}
            </option>`,
        )}
    </select>`
}

/** Without the field it stays as it is. @throws AppError `invalid` */
export function readVisibility(form: URLSearchParams): { visibility?: Visibility } {
  const given = fieldOf(form, 'visibility')
  if (given === '') return {}
  const { data } = givenVisibility.safeParse(given)
  if (data === undefined) throw new AppError('invalid', 'Choose who may read the pages from the list')
  return { visibility: data }
}
