import { accountEndpoints } from './account/endpoints.ts'
import { accountForms } from './account/forms.ts'
import { peopleEndpoints } from './endpoints.ts'
import { peoplePages } from './forms.ts'
import { doorOf } from '../../verbs/http.ts'
import { organizationDeeds } from './organizations/run.ts'
import { sessionEndpoints } from './sign-in/endpoints.ts'
import { linkEndpoints } from './sign-in/join.ts'
import { signInForms } from './sign-in/page.ts'

/** Who signs in, and who belongs to an organization. */
export const people = {
  endpoints: [sessionEndpoints, accountEndpoints, doorOf(organizationDeeds), peopleEndpoints],
  pages: [signInForms, linkEndpoints, peoplePages, accountForms],
} as const
