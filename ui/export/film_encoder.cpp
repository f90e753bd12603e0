#include "ui/export/film_encoder.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/files/output_file.h"
#include "ui/export/figure_export.h"

#include <QStandardPaths>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

extern char** environ;

namespace casimir {

namespace fs = std::filesystem;

namespace {

const char* const notInstalled =
    "a film needs the program ffmpeg, which is not installed (Debian package: ffmpeg); "
    "numbered PNGs work without it: give a FOLDER/ as the place";

// Even sides, which H.264 and VP9 need for their half-sized colour planes, and the colours of high-definition
// video, which players assume.
std::string videoFilter(const std::string& pixels)
{
    return "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,"
           "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=" +
           pixels;
}

std::vector<std::string> encoding(const Recipe& recipe)
{
    const std::string& format = recipe.spec.format;
    const std::vector<std::string> colours{"-colorspace", "bt709", "-color_primaries", "bt709",
                                           "-color_trc",  "bt709", "-color_range",     "tv"};
    std::vector<std::string> words;
    if (format == "mp4")
        words = {"-vf",       videoFilter("yuv420p"),
                 "-c:v",      "libx264",
                 "-preset",   "veryfast",
                 "-crf",      "17",
                 "-pix_fmt",  "yuv420p",
                 "-movflags", "+faststart",
                 "-f",        "mp4"};
    else if (format == "webm")
        words = {"-vf",
                 videoFilter(recipe.spec.transparent ? "yuva420p" : "yuv420p"),
                 "-c:v",
                 "libvpx-vp9",
                 "-crf",
                 "24",
                 "-b:v",
                 "0",
                 "-deadline",
                 "good",
                 "-cpu-used",
                 "5",
                 "-row-mt",
                 "1",
                 "-auto-alt-ref",
                 "0",
                 "-f",
                 "webm"};
    else if (format == "gif") // a palette for each frame: one for all would keep every frame in memory
        return {"-filter_complex",
                "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none",
                "-loop",
                "0",
                "-gifflags",
                "-offsetting",
                "-f",
                "gif"};
    else
        return {"-c:v", "apng", "-pred", "mixed", "-plays", "0", "-f", "apng"};
    words.insert(words.end(), colours.begin(), colours.end());
    return words;
}

// An end of a pipe.
class FileEnd {
public:
    FileEnd() = default;
    explicit FileEnd(int descriptor) : descriptor_(descriptor) {}
    FileEnd(const FileEnd&) = delete;
    FileEnd& operator=(const FileEnd&) = delete;
    ~FileEnd() { close(); }
    int get() const { return descriptor_; }
    void open(int descriptor)
    {
        close();
        descriptor_ = descriptor;
    }
    void close()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
        descriptor_ = -1;
    }

private:
    int descriptor_ = -1;
};

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

class FfmpegEncoder : public FilmEncoder {
public:
    FfmpegEncoder(const Recipe& recipe, const std::string& path, bool replace)
        : path_(path),
          file_(path, replace),
          size_(recipe.spec.size.pixelWidth(), recipe.spec.size.pixelHeight())
    {
        std::signal(SIGPIPE, SIG_IGN); // ffmpeg's end is told by the write that fails
        complaints_.reset(std::tmpfile());
        int ends[2] = {-1, -1};
        if (!complaints_ || ::pipe2(ends, O_CLOEXEC) != 0)
            throw Error(fmt::format("ffmpeg cannot be started: {}", std::strerror(errno)));
        const FileEnd read(ends[0]);
        pipe_.open(ends[1]);
#ifdef F_SETPIPE_SZ
        (void)::fcntl(pipe_.get(), F_SETPIPE_SZ, 1 << 20); // fewer turns between the two programs
#endif
        std::vector<std::string> words{"ffmpeg",
                                       "-hide_banner",
                                       "-loglevel",
                                       "error",
                                       "-nostdin",
                                       "-y",
                                       "-f",
                                       "rawvideo",
                                       "-pix_fmt",
                                       recipe.spec.transparent ? "rgba" : "bgr0",
                                       "-video_size",
                                       fmt::format("{}x{}", size_.width(), size_.height()),
                                       "-framerate",
                                       numberText(recipe.spec.film->fps),
                                       "-i",
                                       "pipe:0",
                                       "-an",
                                       "-metadata",
                                       "title=" + recipe.session.title,
                                       "-metadata",
                                       "comment=" + writeRecipe(recipe)};
        for (std::string& word : encoding(recipe))
            words.push_back(std::move(word));
        words.push_back("file:" + file_.growing().string());
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);

        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, read.get(), 0);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, ::fileno(complaints_.get()), 2);
        // Ctrl+C is for us, who then end ffmpeg in order.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        const int failure = ::posix_spawnp(&child_, "ffmpeg", &actions, &attributes, argv.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (failure != 0) {
            child_ = -1;
            throw Error(failure == ENOENT
                            ? std::string(notInstalled)
                            : fmt::format("ffmpeg cannot be started: {}", std::strerror(failure)));
        }
    }

    ~FfmpegEncoder() override
    {
        pipe_.close();
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
        }
    }

    void add(const QImage& frame, const Recipe&) override
    {
        const QImage pixels =
            frame.convertToFormat(frame.hasAlphaChannel() ? QImage::Format_RGBA8888 : QImage::Format_RGB32);
        const auto row = static_cast<std::size_t>(size_.width()) * 4;
        if (static_cast<std::size_t>(pixels.bytesPerLine()) == row)
            return put(pixels.constBits(), row * static_cast<std::size_t>(size_.height()));
        for (int y = 0; y < size_.height(); ++y)
            put(pixels.constScanLine(y), row);
    }

    void finish() override
    {
        pipe_.close();
        int status = 0;
        while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            throw Error(complaint());
        file_.commit();
    }

private:
    void put(const uchar* bytes, std::size_t count)
    {
        while (count > 0) {
            const ssize_t n = ::write(pipe_.get(), bytes, count);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0) {
                int status = 0;
                pipe_.close();
                ::waitpid(child_, &status, 0);
                child_ = -1;
                throw Error(complaint());
            }
            bytes += n;
            count -= static_cast<std::size_t>(n);
        }
    }

    // The last thing ffmpeg said, which names the cause ("No space left on device").
    std::string complaint() const
    {
        std::string text, last;
        std::rewind(complaints_.get());
        char buffer[4096];
        while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, complaints_.get()))
            text.append(buffer, n);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            if (end > begin)
                last = text.substr(begin, end - begin);
            begin = end + 1;
        }
        return fmt::format("ffmpeg could not make {}{}", path_, last.empty() ? "" : ": " + last);
    }

    std::string path_;
    OutputFile file_;
    QSize size_;
    std::unique_ptr<std::FILE, CloseFile> complaints_;
    FileEnd pipe_;
    pid_t child_ = -1;
};

class FolderEncoder : public FilmEncoder {
public:
    FolderEncoder(const Recipe& recipe, const std::string& path, bool replace)
        : place_(path), digits_(std::max<std::size_t>(5, std::to_string(recipe.spec.film->frames()).size()))
    {
        if (!place_.has_filename())
            place_ = place_.parent_path();
        std::error_code error;
        if (fs::exists(place_, error) && !fs::is_directory(place_, error))
            throw Error(fmt::format("{} is a file, not a folder", place_.string()));
        if (!replace && fs::exists(place_, error) && !fs::is_empty(place_, error))
            throw Error(
                fmt::format("{} exists already and is not empty; use --force to replace the frames in it",
                            place_.string()));
        const fs::path above = place_.has_parent_path() ? place_.parent_path() : fs::path(".");
        growing_ = above / fmt::format(".{}.{}", place_.filename().string(), ::getpid());
        if (!fs::create_directory(growing_, error))
            throw Error(fmt::format("cannot write {}: {}", place_.string(),
                                    error ? error.message() : "a folder is in the way"));
    }

    ~FolderEncoder() override
    {
        std::error_code ignored;
        if (!done_)
            fs::remove_all(growing_, ignored);
    }

    void add(const QImage& frame, const Recipe& recipe) override
    {
        OutputFile file(growing_ / name(++frames_), false);
        file.write(pngBytes(frame, recipe));
        file.commit();
    }

    void finish() override
    {
        std::error_code error;
        if (!fs::exists(place_, error)) {
            fs::rename(growing_, place_, error);
        } else {
            // Only frames are replaced; whatever else lies there stays.
            for (const auto& entry : fs::directory_iterator(place_))
                if (isFrame(entry.path().filename().string()))
                    fs::remove(entry.path(), error);
            for (int i = 1; i <= frames_ && !error; ++i)
                fs::rename(growing_ / name(i), place_ / name(i), error);
            std::error_code ignored;
            fs::remove_all(growing_, ignored);
        }
        if (error)
            throw Error(fmt::format("cannot write {}: {}", place_.string(), error.message()));
        done_ = true;
    }

private:
    std::string name(int frame) const { return fmt::format("frame-{:0{}}.png", frame, digits_); }
    static bool isFrame(const std::string& name)
    {
        return name.starts_with("frame-") && name.ends_with(".png") &&
               name.find_first_not_of("0123456789", 6) == name.size() - 4;
    }

    fs::path place_, growing_;
    std::size_t digits_;
    int frames_ = 0;
    bool done_ = false;
};

} // namespace

std::unique_ptr<FilmEncoder> makeEncoder(const Recipe& recipe, const std::string& path, bool replace)
{
    if (recipe.spec.format == "frames")
        return std::make_unique<FolderEncoder>(recipe, path, replace);
    return std::make_unique<FfmpegEncoder>(recipe, path, replace);
}

std::string ffmpegComplaint()
{
    return QStandardPaths::findExecutable("ffmpeg").isEmpty() ? notInstalled : "";
}

} // namespace casimir
