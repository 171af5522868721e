import { render } from 'preact'
import { Dashboard } from './dashboard/app.tsx'
import { applyStoredTheme } from './kit/shell/theme.tsx'
import './styles/inter.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/picker.css'
import './styles/tables.css'
import './styles/states.css'
import './styles/dialogs.css'
import './styles/forms.css'
import './styles/catalogue.css'
import './styles/pages.css'
import './styles/chat.css'
import './styles/site.css'
import './styles/home.css'

applyStoredTheme()
const root = document.getElementById('app')
if (root) render(<Dashboard />, root)
