package theme

// The palettes of the built-in themes. TestContrast holds them to their
// contrast, TestColourblind to being distinguished by everybody.

var darkPalette = palette{
	hueGround: "#0d1117", hueText: "#e6edf3", hueDim: "#8b949e", hueSoft: "#b1bac4", hueLine: "#717a86",
	hueAccent: "#79b8ff", hueSuccess: "#7cc98f", hueWarning: "#e3b35c", hueFailure: "#ff8a80",
	huePrompt: "#1a222d", huePromptDim: "#9aa5b1", hueSelected: "#1b2f4a",
	hueAdded: "#82d596", hueRemoved: "#ff9c93", hueCode: "#dcbf95",
	hueAddedLine: "#10261a", hueRemovedLine: "#2d1518", hueAddedWord: "#1c5226", hueRemovedWord: "#6b2229",
	hueWord: "#ffffff", hueGone: "#ffffff",
	hueMatch: "#5a4a14", hueMatchNow: "#e3b35c", hueInk: "#0d1117",
	hueKeyword: "#b9a7f0", hueString: "#9fd3a6", hueNumber: "#e8b27a", hueComment: "#8b949e", hueName: "#8cc4ff", hueType: "#7fd1cc",
	hueOperator: "#b1bac4",
}

var lightPalette = palette{
	hueGround: "#ffffff", hueText: "#1f2328", hueDim: "#616a74", hueSoft: "#454c54", hueLine: "#7d8590",
	hueAccent: "#0a5cc2", hueSuccess: "#1a7032", hueWarning: "#8a5600", hueFailure: "#c0252c",
	huePrompt: "#eef3fa", huePromptDim: "#57606a", hueSelected: "#d8e7fb",
	hueAdded: "#17692d", hueRemoved: "#b3242b", hueCode: "#7d4708",
	hueAddedLine: "#ebf8ed", hueRemovedLine: "#fdeeee", hueAddedWord: "#b3e5c1", hueRemovedWord: "#fbcaca",
	hueWord: "#1f2328", hueGone: "#1f2328",
	hueMatch: "#fbe9b0", hueMatchNow: "#f2b33d", hueInk: "#1f2328",
	hueKeyword: "#6b3fc4", hueString: "#1b6b34", hueNumber: "#97480a", hueComment: "#616a74", hueName: "#0a56b0", hueType: "#0b6a69",
	hueOperator: "#454c54",
}

var contrastDarkPalette = palette{
	hueGround: "#000000", hueText: "#ffffff", hueDim: "#c4ccd6", hueSoft: "#dbe2ea", hueLine: "#8f99a6",
	hueAccent: "#9ecbff", hueSuccess: "#8ef0a0", hueWarning: "#ffd866", hueFailure: "#ffb0a8",
	huePrompt: "#0f1c2e", huePromptDim: "#d0d8e2", hueSelected: "#0f2a50",
	hueAdded: "#8ef0a0", hueRemoved: "#ffb0a8", hueCode: "#ffd9a0",
	hueAddedLine: "#04200c", hueRemovedLine: "#2b0707", hueAddedWord: "#0b4a1c", hueRemovedWord: "#661018",
	hueWord: "#ffffff", hueGone: "#ffffff",
	hueMatch: "#332900", hueMatchNow: "#ffd866", hueInk: "#000000",
	hueKeyword: "#d6c6ff", hueString: "#a8f0b0", hueNumber: "#ffcf99", hueComment: "#c4ccd6", hueName: "#a8d4ff", hueType: "#98efe8",
	hueOperator: "#dbe2ea",
}

var contrastLightPalette = palette{
	hueGround: "#ffffff", hueText: "#000000", hueDim: "#3d444d", hueSoft: "#2b3138", hueLine: "#57606a",
	hueAccent: "#002f87", hueSuccess: "#0b4a1c", hueWarning: "#472d00", hueFailure: "#8a0f16",
	huePrompt: "#e4ecf7", huePromptDim: "#2f363d", hueSelected: "#c5dbfa",
	hueAdded: "#0b4a1c", hueRemoved: "#8a0f16", hueCode: "#472800",
	hueAddedLine: "#e2f7e6", hueRemovedLine: "#fde6e6", hueAddedWord: "#a5e3b5", hueRemovedWord: "#f9bcbc",
	hueWord: "#000000", hueGone: "#000000",
	hueMatch: "#fbe08a", hueMatchNow: "#f2b33d", hueInk: "#000000",
	hueKeyword: "#46209b", hueString: "#0f4a22", hueNumber: "#522400", hueComment: "#3d444d", hueName: "#0a3f87", hueType: "#054a49",
	hueOperator: "#2b3138",
}

// What is good is blue here, and what is not is orange: nobody who cannot tell
// red from green takes one for the other.
var colourblindDarkPalette = palette{
	hueGround: "#0d1117", hueText: "#e6edf3", hueDim: "#8b949e", hueSoft: "#b1bac4", hueLine: "#717a86",
	hueAccent: "#b8f2ff", hueSuccess: "#5aa9e6", hueWarning: "#f0e442", hueFailure: "#f0883e",
	huePrompt: "#1c2128", huePromptDim: "#9aa5b1", hueSelected: "#2b3645",
	hueAdded: "#6cb6ff", hueRemoved: "#f69d50", hueCode: "#d9cfae",
	hueAddedLine: "#0b2139", hueRemovedLine: "#2e1c0b", hueAddedWord: "#17497b", hueRemovedWord: "#6e3c0c",
	hueWord: "#ffffff", hueGone: "#ffffff",
	hueMatch: "#5a4a14", hueMatchNow: "#f0e442", hueInk: "#0d1117",
	hueKeyword: "#b9a7f0", hueString: "#9ad0f0", hueNumber: "#f0b67a", hueComment: "#8b949e", hueName: "#8cc4ff", hueType: "#c3d2e0",
	hueOperator: "#b1bac4",
}

var colourblindLightPalette = palette{
	hueGround: "#ffffff", hueText: "#1f2328", hueDim: "#616a74", hueSoft: "#454c54", hueLine: "#7d8590",
	hueAccent: "#8a1a8a", hueSuccess: "#0b5fd6", hueWarning: "#403800", hueFailure: "#b84a00",
	huePrompt: "#f0f2f5", huePromptDim: "#57606a", hueSelected: "#e1e4ea",
	hueAdded: "#0a56c2", hueRemoved: "#b54900", hueCode: "#6b4a1a",
	hueAddedLine: "#e8f1fd", hueRemovedLine: "#fdf0e4", hueAddedWord: "#b6d6fb", hueRemovedWord: "#fbd0a3",
	hueWord: "#1f2328", hueGone: "#1f2328",
	hueMatch: "#fbe9b0", hueMatchNow: "#f2b33d", hueInk: "#1f2328",
	hueKeyword: "#6b3fc4", hueString: "#0a56b0", hueNumber: "#97480a", hueComment: "#616a74", hueName: "#1d4f91", hueType: "#3b4a66",
	hueOperator: "#454c54",
}

// Where the background is not known, as in tmux before 3.4, the colours read on
// black, on white and on what people have instead. All are in the 256 of xterm.
// Backgrounds of ours come with the text on them.
var eitherPalette = palette{
	hueDim: "#767676", hueLine: "#767676",
	hueAccent: "#0087af", hueSuccess: "#008700", hueWarning: "#af5f00", hueFailure: "#ff0000",
	hueAdded: "#008700", hueRemoved: "#ff0000", hueCode: "#af5f87",
	hueAddedWord: "#005f00", hueRemovedWord: "#870000", hueWord: "#ffffff", hueGone: "#ffffff",
	hueMatchNow: "#ffaf00", hueInk: "#000000",
	hueKeyword: "#875fff", hueString: "#008700", hueNumber: "#af5f00", hueComment: "#767676", hueName: "#0087af", hueType: "#008787",
}

var colourblindEitherPalette = palette{
	hueDim: "#767676", hueLine: "#767676",
	hueAccent: "#0087af", hueSuccess: "#005fff", hueWarning: "#878700", hueFailure: "#af5f00",
	hueAdded: "#005fff", hueRemoved: "#af5f00", hueCode: "#875faf",
	hueAddedWord: "#00005f", hueRemovedWord: "#875f00", hueWord: "#ffffff", hueGone: "#ffffff",
	hueMatchNow: "#ffaf00", hueInk: "#000000",
	hueKeyword: "#875faf", hueString: "#0087af", hueNumber: "#af5f00", hueComment: "#767676", hueName: "#0087af", hueType: "#767676",
}

// The terminal's own colours are whatever the user made of them. Where its
// background is not known none of them reaches the contrast of text, so that
// text has the terminal's own there, and only what has a background of ours has
// others.
var terminalPalette = palette{
	hueFailure: "15", hueAlarm: "1",
	hueAddedWord: "2", hueWord: "0", hueRemovedWord: "1", hueGone: "15",
	hueMatchNow: "14", hueInk: "0",
}

// On a dark background two of them reach it in the palettes that people use, on
// a light one two others.
var terminalDarkPalette = palette{
	hueAccent: "6", hueSuccess: "2", hueFailure: "15", hueAlarm: "1",
	hueAdded: "2", hueAddedWord: "2", hueWord: "0", hueRemovedWord: "1", hueGone: "15",
	hueMatchNow: "14", hueInk: "0",
	hueCode: "6", hueString: "2", hueName: "6", hueType: "14",
}

var terminalLightPalette = palette{
	hueAccent: "5", hueFailure: "1",
	hueRemoved: "1", hueAddedWord: "2", hueWord: "0", hueRemovedWord: "1", hueGone: "15",
	hueMatchNow: "14", hueInk: "0",
	hueCode: "5", hueKeyword: "5",
}
