import { render } from 'preact'
import { Administration } from './admin/app.tsx'
import { applyStoredTheme } from './kit/shell/theme.tsx'
import './styles/inter.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/content.css'
import './styles/front.css'
import './styles/parts.css'
import './styles/picker.css'
import './styles/tables.css'
import './styles/states.css'
import './styles/phone_lists.css'
import './styles/dialogs.css'
import './styles/forms.css'
import './styles/admin.css'

applyStoredTheme()
const root = document.getElementById('app')
if (root) render(<Administration />, root)
