import {
  createBitbucketWorld,
  type BitbucketWorld,
} from '../../../../tests/worlds/hosts/bitbucket/bitbucket-world.ts'
import { describeFaults } from '../../../../tests/worlds/hosts/describe-faults.ts'

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
