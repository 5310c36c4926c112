import { ResumeBanner } from '../features/resume/ResumeBanner'
import { TrustBanner } from '../features/trust/TrustBanner'
import type { ProjectFacts } from '../state/project'
import { ConnectionBanner } from './ConnectionBanner'

/** What holds for the whole project and waits for a decision, above its cells. */
export function Banners({ project }: { project: ProjectFacts | undefined }) {
  return (
    <>
      <ConnectionBanner />
      {project !== undefined && (
        <>
          <TrustBanner project={project} />
          <ResumeBanner project={project} />
        </>
      )}
    </>
  )
}
