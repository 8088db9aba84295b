import { accountEndpoints } from './account/endpoints.ts'
import { accountForms } from './account/forms.ts'
import { peopleEndpoints } from './endpoints.ts'
import { peoplePages } from './forms.ts'
import { organizationEndpoints } from './organizations.ts'
import { sessionEndpoints } from './sign-in/endpoints.ts'
import { linkEndpoints } from './sign-in/join.ts'
import { signInForms } from './sign-in/page.ts'

/** Who signs in, and who belongs to an organization. */
export const people = {
  endpoints: [sessionEndpoints, accountEndpoints, organizationEndpoints, peopleEndpoints],
  pages: [signInForms, linkEndpoints, peoplePages, accountForms],
} as const
