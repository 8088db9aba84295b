import { readJobRevisions, readJobsVersions } from '../../features/agent/job-versions.ts'
import { readOrganizationVersions, readProjectVersions } from '../../features/projects/projects.ts'
import type { Reader } from '../../store/database.ts'
import { nameOf, type ReadVersions, type Subject } from './changes.ts'

/** Reads the versions of what live pages show, with at most one statement for each kind. */
export function createVersionReader(db: Reader): ReadVersions {
  return async (subjects) => {
    const projectIds = idsOf(subjects, 'project')
    const [jobs, projects, projectJobs, organizations] = await Promise.all([
      readJobRevisions(db, idsOf(subjects, 'job')),
      readProjectVersions(db, projectIds),
      readJobsVersions(db, projectIds),
      readOrganizationVersions(db, idsOf(subjects, 'organization')),
    ])
    return new Map(
      subjects.map((subject) => [
        nameOf(subject),
        versionOf(subject, { jobs, projects, projectJobs, organizations }),
      ]),
    )
  }
}

interface Found {
  jobs: ReadonlyMap<string, string>
  projects: ReadonlyMap<string, string>
  projectJobs: ReadonlyMap<string, string>
  organizations: ReadonlyMap<string, string>
}

function versionOf(subject: Subject, { jobs, projects, projectJobs, organizations }: Found): string {
  if (subject.of === 'organization') return organizations.get(subject.id) ?? ''
  if (subject.of === 'job') return jobs.get(subject.id) ?? ''
  const own = projects.get(subject.id)
  return own === undefined ? '' : `${own}.${projectJobs.get(subject.id) ?? ''}`
}

function idsOf(subjects: readonly Subject[], kind: Subject['of']): string[] {
  return subjects.flatMap((subject) => (subject.of === kind ? [subject.id] : []))
}
