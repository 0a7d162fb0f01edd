// Made from openapi/ by `npm run generate`. Never edit it by hand.
export { abortChunkedUpload, completeChunkedUpload, copyObject, createChatCompletion, createKey, createShare, createUploadToken, deleteObjects, deleteShare, getChatUsage, getChunkedUpload, getCurrentDeployment, getDownloadLink, getLiveness, getMetrics, getNetworkErrors, getObjectInfo, getPublicFile, getReadiness, getS3Credentials, getSettings, getStats, listActivity, listChunkedUploads, listDeployments, listKeys, listModels, listObjects, listShares, openDownloadLink, openShare, pollDeviceToken, putChunkedPart, receiveGitPush, regenerateKey, replaceSettings, requestDeviceCode, revokeKey, setGitWebhook, showActivationPage, startChunkedUpload, submitActivation, submitSharePassword, updateObjects, uploadObject } from './sdk.js';
export { hosts } from './hosts.js';
export { client } from './client.js';
export { createClient, createConfig } from './client/index.js';
