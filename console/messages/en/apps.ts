export const apps = {
  app: 'Application',
  appId: 'Id',
  apps: 'Applications',
  builtIn: 'Files and links',
  created: 'Created',
  noApps: 'No applications',
  noAppsHint: 'The operator of the server makes applications. Ask for one if you need it.',
  noSuchApp: 'This application does not exist, or your key may not use it',
  parts: 'Parts of the application',
};
