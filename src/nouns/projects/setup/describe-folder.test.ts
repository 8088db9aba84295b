import { expect, it } from 'vitest'
import { describeFolder } from './describe-folder.ts'

it.each([
  ['/srv/my docs', /^\/srv\/my docs is a folder.*project add '\/srv\/my docs'" there$/],
  ['~/docs', /^~\/docs is a folder.*project add ~\/docs"/],
  ['file:///srv/docs', /^\/srv\/docs is a folder/],
  [String.raw`C:\docs`, /^C:\\docs is a folder/],
  ['github.com/a/b', /^github\.com\/a\/b is not a complete URL\. Enter https:\/\/github\.com\/a\/b$/],
  ['a/b', /^a\/b is not a URL\. Enter the https URL.*project add a\/b"/],
])('answers about what was typed as a repository: %s', (location, answer) => {
  expect(describeFolder(location)).toMatch(answer)
})
