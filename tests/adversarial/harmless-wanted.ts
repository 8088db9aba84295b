import { casesOf } from './harmless-case.ts'
import { docusaurusSite } from './harmless-mdx-sites.ts'

// Harmless pages and changes that the policy refuses so far; each says why a team would want it to pass, and why it does not.

const docusaurus = casesOf(docusaurusSite)

// The navigation of Mintlify and MkDocs may hold such a link, and the site leads to this host already. In a navigation that is
// code only addresses within the site are added: what an address of another host does there depends on the component that gets it.
docusaurus.edit('a link to the repository in the sidebar', {
  'website/sidebars.js': [
    [
      "    'intro',",
      `
    'intro',
    { type: 'link', label: 'Source', href: 'https://github.com/miraholt/quarry' },`,
    ],
  ],
})

export const harmlessWanted = docusaurus.cases
