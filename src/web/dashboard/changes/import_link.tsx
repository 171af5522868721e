import { Link } from 'wouter-preact'
import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

/** Leads to the page that imports a file. */
export function ImportLink() {
  const { workspaceId } = useWorkspace()
  return (
    <Link class="button" href={`/w/${workspaceId}/changes/new`}>
      <Icon name="upload" />
      {texts('changes')('import')}
    </Link>
  )
}
