import { createRoot } from 'react-dom/client';

import { App } from './app.tsx';
import './photo-drop.css';

createRoot(document.getElementById('app')!).render(<App />);
