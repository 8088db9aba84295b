import { createBitbucketWorld } from '../fake-hosts/bitbucket-world.fixture.ts'
import type { BitbucketWorld } from '../fake-hosts/bitbucket-world.fixture.ts'
import { describeFaults } from '../fake-hosts/describe-faults.fixture.ts'

describeFaults<BitbucketWorld>({
  async createWorld() {
    const world = await createBitbucketWorld({ requestLimit: 700 })
    await world.push('work', 'a.md', 'a')
    return world
  },
  paths: {
    requests: /pullrequests$/,
    request: /pullrequests\/1$/,
    comments: /comments$/,
    changes: /diffstat\//,
    repository: /handbook$/,
  },
  requests: ({ state }) => state.pulls,
  comments: ({ state }) => state.remarks,
})
