import { parseConfig, type Config } from '#server/config/config.ts';

/** A setting of a double whose value is not the one of a server without settings. */
interface OwnSetting {
  readonly name: string;
  readonly value: string;
  /** The value of a server without settings. */
  readonly standard: string;
}

/** Returns the settings in which a configuration differs from a server without settings. */
export function ownSettings({ settings, dataDir }: Config): OwnSetting[] {
  const standards = new Map(standardSettings(dataDir).map(({ name, value }) => [name, value]));
  return settings.flatMap(({ name, value }) => {
    const standard = standards.get(name);
    return value === null || standard === undefined || standard === null || value === standard
      ? []
      : [{ name, value, standard }];
  });
}

/** Settings that lie in the data folder follow it, and are no differences of their own. */
function standardSettings(dataDir: string): Config['settings'] {
  const [folder, following] = [parseConfig({}), parseConfig({ CUBBY_DATA_DIR: dataDir })];
  return following.settings.map((setting) =>
    setting.name === 'CUBBY_DATA_DIR' ? { ...setting, value: folder.dataDir } : setting,
  );
}

/** Returns a line for people about each setting of its own. */
export function settingLines(config: Config): string[] {
  return ownSettings(config).map(
    ({ name, value, standard }) => `${name} is ${value} (a server without it: ${standard})`,
  );
}
