import { Link } from 'wouter-preact'
import type { Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { mayUse, useWorkspace } from '../../session.ts'

type Of = { resourceId: string } | { topic: Schemas['ActivityTopic'] }

/** Leads to what was changed in the thing that the page shows. */
export function HistoryLink({ of }: { of: Of }) {
  const { workspaceId, role } = useWorkspace()
  if (!mayUse(role, 'activity')) return null
  const query = new URLSearchParams(of).toString()
  return (
    <Link class="button" href={`/w/${workspaceId}/activity?${query}`}>
      <Icon name="clock" />
      {texts('activity')('history')}
    </Link>
  )
}
