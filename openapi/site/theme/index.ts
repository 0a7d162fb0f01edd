import { onMounted } from 'vue';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onContentUpdated, type Theme } from 'vitepress';

import { showBestLines } from './best-line.ts';
import { followLanguage, showChosenLanguage } from './languages.ts';
import { nameMenuButtons } from './menu-names.ts';
import { dropStrangeFragment } from './strange-fragments.ts';
import { printLight } from './print-light.ts';
import { repairSearchRoles } from './search-roles.ts';
import { OwnServer } from './own-server.ts';
import { restoreOwnServer } from './settings.ts';
import { TryIt } from './try-it.ts';
import './style.css';

/** The generator's own theme with Cubby's colors, and the parts of the reference that need a script. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('OwnServer', OwnServer);
    app.component('TryIt', TryIt);
    if (typeof window !== 'undefined') dropStrangeFragment();
  },
  setup() {
    onMounted(restoreOwnServer);
    onMounted(nameMenuButtons);
    onMounted(printLight);
    onMounted(repairSearchRoles);
    onMounted(showBestLines);
    onMounted(followLanguage);
    onContentUpdated(showChosenLanguage);
  },
};

export default theme;
