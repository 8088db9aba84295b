import { accountForms } from './account/forms.ts'
import { accountDeeds } from './account/run.ts'
import { peoplePages } from './forms.ts'
import { doorOf } from '../../verbs/http.ts'
import { organizationDeeds } from './organizations/run.ts'
import { memberDeeds } from './run.ts'
import { linkEndpoints } from './sign-in/join.ts'
import { signInForms } from './sign-in/page.ts'
import { sessionDeeds } from './sign-in/run.ts'

/** Who signs in, and who belongs to an organization. */
export const people = {
  endpoints: [doorOf(sessionDeeds), doorOf(accountDeeds), doorOf(organizationDeeds), doorOf(memberDeeds)],
  pages: [signInForms, linkEndpoints, peoplePages, accountForms],
} as const
