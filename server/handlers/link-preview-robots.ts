/**
 * What programs call themselves that fetch an address to show a card of it, or to index it, without anybody having
 * asked for the file. Parts of a `User-Agent`, in lower case, that no browser has in its own. Keep it in order; a new
 * one needs nothing else.
 */
const robots: readonly string[] = [
  'applebot',
  'bingbot',
  'bingpreview',
  'bitlybot',
  'cardyb',
  'discordbot',
  'duckduckbot',
  'embedly',
  'facebookcatalog',
  'facebookexternalhit',
  'facebot',
  'flipboardproxy',
  'google-inspectiontool',
  'google-pagerenderer',
  'googlebot',
  'googleimageproxy',
  'iframely',
  'kakaotalk-scrap',
  'line-poker',
  'linkedinbot',
  'mattermost-bot',
  'meta-externalagent',
  'meta-externalfetcher',
  'microsoftpreview',
  'nextcloud server crawler',
  'pinterestbot',
  'qwantify',
  'redditbot',
  'skypeuripreview',
  'slack-imgproxy',
  'slackbot',
  'snap url preview',
  'summalybot',
  'synapse (bot;',
  'telegrambot',
  'twitterbot',
  'urlpreviewbot',
  'vkshare',
  'xing-contenttabreceiver',
  'yahoo link preview',
  'yandexbot',
  'zoombot',
  'zulipurlpreview',
];

/** Names that the robots of these apps share with the browsers within the apps, which say what engine they have. */
const robotsUnlessBrowsers: readonly string[] = ['mastodon/', 'rocket.chat', 'tumblr/', 'whatsapp'];

const browserEngine = /^mozilla\/.*\b(applewebkit|chrome|firefox|gecko|safari)\//;

/** Whether a client is a known link-preview robot. */
export function isLinkPreviewRobot(userAgent: string | null): boolean {
  const name = (userAgent ?? '').toLowerCase();
  const holds = (part: string) => name.includes(part);
  return robots.some(holds) || (robotsUnlessBrowsers.some(holds) && !browserEngine.test(name));
}
