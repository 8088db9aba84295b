/**
 * The branch of a job, from the random end of its id. Once a person has merged or closed a job's pull request its
 * next one gets a branch of its own, so that nothing of theirs is ever overwritten: `generation` counts these.
 */
export function branchName(jobId: string, generation: number): string {
  const name = `docwright/${jobId.slice(-12)}`
  return generation === 1 ? name : `${name}-${generation}`
}

export function nextBranchName(jobId: string, branch: string): string {
  const generation = Number(branch.slice(branchName(jobId, 1).length + 1)) || 1
  return branchName(jobId, generation + 1)
}
