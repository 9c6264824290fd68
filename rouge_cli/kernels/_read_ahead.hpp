// Small files read ahead of their use, by a thread of its own: opening thousands of them takes as long as
// counting what is in them.
//
// Nobody ever waits for it: a file that is not there yet is read by whoever wants it, and the thread, which
// touches nothing of Python's, keeps what it shares alive by itself.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "_reading.hpp"

namespace rouge {

class ReadAhead {
public:
    // Fewer files are not worth a thread, and for more of them the paths alone would take much memory.
    static constexpr std::size_t FEWEST = 64, MOST = 100000;
    // So many files, none larger than this, are held at most.
    static constexpr std::size_t WINDOW = 256, LARGEST = 1 << 16;

    // paths: in the order of their use, or nearly; each once.
    explicit ReadAhead(std::vector<std::string> paths) {
#ifdef _WIN32
        (void)paths;  // files are not read here at all
#else
        if (paths.size() < FEWEST || paths.size() > MOST || std::thread::hardware_concurrency() < 2) return;
        auto shared = std::make_shared<Shared>();
        shared->files.resize(paths.size());
        for (std::size_t place = 0; place < paths.size(); ++place) shared->places.emplace(paths[place], place);
        shared->paths = std::move(paths);
        try {
            std::thread(read, shared).detach();
        } catch (const std::system_error&) {
            return;  // no thread to be had: files are read when they are wanted
        }
        shared_ = shared;
#endif
    }

    ~ReadAhead() {
        if (shared_ == nullptr) return;
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        shared_->stopped = true;
        shared_->wake.notify_one();
    }

    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    // The file's bytes, at its first use, if they have been read by now.
    bool take(const std::string& path, std::vector<char>& data) {
        if (shared_ == nullptr) return false;
        const auto found = shared_->places.find(path);
        if (found == shared_->places.end()) return false;
        File& file = shared_->files[found->second];
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        file.wanted = true;
        if (!file.ready) return false;
        data = std::move(file.bytes);
        file.bytes = std::vector<char>();
        file.ready = false;
        --shared_->held;
        shared_->wake.notify_one();
        return true;
    }

private:
    struct File {
        std::vector<char> bytes;
        bool ready = false, wanted = false;
    };

    // Paths and places are not changed once there is a thread; all else is the mutex's.
    struct Shared {
        std::mutex mutex;
        std::condition_variable wake;
        std::vector<std::string> paths;
        std::unordered_map<std::string, std::size_t> places;
        std::vector<File> files;
        std::size_t held = 0;
        bool stopped = false;
    };

    static void read(std::shared_ptr<Shared> shared) {
        try {
            std::vector<char> buffer;
            for (std::size_t place = 0; place < shared->paths.size(); ++place) {
                File& file = shared->files[place];
                {
                    std::unique_lock<std::mutex> lock(shared->mutex);
                    shared->wake.wait(lock, [&] { return shared->stopped || shared->held < WINDOW; });
                    if (shared->stopped) return;
                    if (file.wanted) continue;
                }
                std::string_view data;
                if (!whole_file(shared->paths[place].c_str(), buffer, data, LARGEST)) continue;
                std::vector<char> bytes(data.begin(), data.end());
                const std::lock_guard<std::mutex> lock(shared->mutex);
                if (file.wanted) continue;
                file.bytes = std::move(bytes);
                file.ready = true;
                ++shared->held;
            }
        } catch (const std::exception&) {
            return;  // out of memory: nobody waits
        }
    }

    std::shared_ptr<Shared> shared_;
};

}  // namespace rouge
